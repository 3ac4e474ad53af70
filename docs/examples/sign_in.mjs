#!/usr/bin/env node
// Signs in through a Switchyard gateway, and prints the token response as JSON. Node 18.3 or later, no packages.
//
//     node sign_in.mjs --gateway https://login.contoso.com:8444 --app com.contoso.app1

import { spawn } from "node:child_process";
import { webcrypto } from "node:crypto";
import { readFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import { hostname } from "node:os";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { rootCertificates } from "node:tls";
import { parseArgs } from "node:util";

const { subtle } = webcrypto;
const patience = 60_000; // milliseconds: a gateway that is busy or restarting, or its proxy, is asked again for as long
const busy = [429, 500, 502, 503, 504];
const maximum = 4 << 20; // characters of an answer

/** Why there are no tokens. */
class Failure extends Error {}

/** Wrong usage. */
class UsageError extends Error {}

/** For the person. What came from elsewhere may hold no control characters: they could rewrite the terminal. */
const say = (text, end = "\n") => process.stderr.write(text.replace(/(?!\n)\p{C}/gu, "?") + end);

/** Why a call was refused: OAuth's code, if there is one, and the description. */
const reason = (status, { error, error_description: text = `status ${status}` }) => error ? `${error}: ${text}` : text;

/** Waits before the next call: as long as the answer asks for, within reason. */
const rest = (headers) => pause(Math.min(Math.max(Number(headers["retry-after"]) || 1, 1), 30) * 1000);

const base64url = (bytes) => Buffer.from(bytes).toString("base64url");
const encoded = (value) => base64url(JSON.stringify(value));

/** The apps' API at `https://HOST[:PORT]`, `unix:PATH`, or `http://…` on loopback, where nobody can listen in. */
class Gateway {
  constructor(address, ca) {
    this.socketPath = address.startsWith("unix:") ? address.slice(5) : undefined;
    this.base = this.socketPath ? "http://localhost" : address.replace(/\/+$/, "");
    if (!/^(https:\/\/[^/?#@]+|http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?)$/.test(this.base) || !isURL(this.base)) {
      throw new UsageError(`"${address}" is no gateway: write https://HOST[:PORT] or unix:PATH`);
    }
    this.ca = ca && [...rootCertificates, readFileSync(ca)];
  }

  /** One call: { status, headers, body }. A body that is no JSON object, as a proxy's own errors, reads as {}. */
  call(method, path, { body, headers = {}, wait = 0 } = {}) {
    const fields = { ...headers };
    if (wait) fields.Prefer = `wait=${wait}`;
    if (body) fields["Content-Type"] = "application/json";
    const { socketPath, ca } = this;
    // A new connection for each call: a kept one may turn out dead after the call was sent.
    const signal = AbortSignal.timeout((wait + 15) * 1000);
    const options = { method, headers: fields, agent: false, ca, socketPath, signal };
    const { request } = this.base.startsWith("https:") ? https : http;
    return new Promise((resolve, reject) => {
      const call = request(this.base + path, options, (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("error", reject).on("data", (part) => {
          text += part;
          if (text.length > maximum) call.destroy(new Error("the answer is too long"));
        }).on("end", () => resolve({ status: answer.statusCode, headers: answer.headers, body: parsed(text) }));
      });
      call.on("error", reject).end(body && JSON.stringify(body));
    });
  }
}

function isURL(text) {
  try {
    return Boolean(new URL(text));
  } catch {
    return false;
  }
}

function parsed(text) {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

/** The key of one sign-in, on P-256: it opens the result and proves each call. It is never written anywhere. */
class Key {
  static async generate() {
    const key = new Key();
    const pair = await subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, true, ["deriveBits"]);
    const { kty, crv, x, y, d } = await subtle.exportKey("jwk", pair.privateKey);
    key.agreement = pair.privateKey;
    key.public = { kty, crv, x, y };
    key.signing = await subtle.importKey(
      "jwk", { ...key.public, d }, { name: "ECDSA", namedCurve: "P-256" }, false, ["sign"]);
    return key;
  }

  /** A proof that is good for one call, and once (RFC 9449 section 4.2). */
  async proof(method, url, token) {
    const header = { typ: "dpop+jwt", alg: "ES256", jwk: this.public };
    const claims = {
      jti: base64url(webcrypto.getRandomValues(new Uint8Array(16))), htm: method, htu: url,
      iat: Math.floor(Date.now() / 1000), ath: base64url(await subtle.digest("SHA-256", Buffer.from(token))),
    };
    const input = `${encoded(header)}.${encoded(claims)}`;
    const signature = await subtle.sign({ name: "ECDSA", hash: "SHA-256" }, this.signing, Buffer.from(input));
    return `${input}.${base64url(signature)}`;
  }

  /** The JSON in a compact JWE (RFC 7516) with ECDH-ES and A256GCM; no other algorithms are taken. */
  async open(compact) {
    const [protectedHeader, encryptedKey, iv, ciphertext, tag] = compact.split(".");
    const header = JSON.parse(Buffer.from(protectedHeader, "base64url"));
    const { alg, enc, epk, zip, crit, apu, apv } = header;
    if (alg !== "ECDH-ES" || enc !== "A256GCM" || encryptedKey !== "" || zip || crit || apu || apv) throw new Error(alg);
    const bytes = (text) => Buffer.from(text, "base64url");
    const publicKey = await subtle.importKey("jwk", epk, { name: "ECDH", namedCurve: "P-256" }, false, []);
    const shared = await subtle.deriveBits({ name: "ECDH", public: publicKey }, this.agreement, 256);
    const key = await subtle.importKey("raw", await concatKDF(shared, enc), "AES-GCM", false, ["decrypt"]);
    const parameters = { name: "AES-GCM", iv: bytes(iv), additionalData: Buffer.from(protectedHeader), tagLength: 128 };
    const sealed = Buffer.concat([bytes(ciphertext), bytes(tag)]);
    return JSON.parse(Buffer.from(await subtle.decrypt(parameters, key, sealed)));
  }
}

/** RFC 7518 section 4.6.2: one round of SHA-256 is the whole key of 256 bits. Both parties are without a name. */
function concatKDF(shared, algorithm) {
  const number = (value) => Buffer.of(0, 0, value >> 8, value & 0xff); // 32 bits, and none of ours needs more than 16
  const parts = [number(1), Buffer.from(shared), number(algorithm.length), Buffer.from(algorithm)];
  return subtle.digest("SHA-256", Buffer.concat([...parts, number(0), number(0), number(256)]));
}

/** A pending token request. */
class SignIn {
  static async begin(gateway, app, scope) {
    const key = await Key.generate();
    const label = hostname().replace(/[^A-Za-z0-9._-]/g, "").slice(0, 64) || undefined;
    const body = { app, scope, host_label: label, result_key: key.public, result_proof: true };
    const until = Date.now() + patience;
    let { status, headers, body: begun } = await gateway.call("POST", "/v1/requests", { body });
    while (busy.includes(status) && Date.now() < until) {
      await rest(headers);
      ({ status, headers, body: begun } = await gateway.call("POST", "/v1/requests", { body }));
    }
    if (status !== 201 || !begun.id) throw new Failure(`the sign-in did not begin: ${reason(status, begun)}`);
    return Object.assign(new SignIn(), {
      gateway, key, path: `/v1/requests/${begun.id}`, token: begun.result_token,
      startURL: begun.start_url, reference: begun.reference,
      endTime: Date.now() + (begun.expires_in ?? 60) * 1000,
    });
  }

  async call(method, path = "", options = {}) {
    const url = this.gateway.base + this.path + path.split("?")[0];
    const headers = { Authorization: `Bearer ${this.token}`, DPoP: await this.key.proof(method, url, this.token) };
    return this.gateway.call(method, this.path + path, { ...options, headers });
  }

  /** The same, where a gateway out of reach is no end: it reads as 503. */
  patientCall(...call) {
    const absent = (error) => ({ status: 503, headers: {}, body: { error_description: error.message } });
    return this.call(...call).catch(absent);
  }

  /** Waits for the end. Lost connections cost nothing: the gateway keeps the result until it is collected. */
  async outcome() {
    let seen = "pending", asked = false, until = this.endTime;
    for (;;) {
      const { status, headers, body } = await this.patientCall("GET", `?seen=${seen}`, { wait: 50 });
      if (status === 200) return this.opened(body);
      if (status === 202) {
        seen = body.status ?? seen;
        until = Math.max(this.endTime, Date.now() + patience);
        if (seen === "release_required" && !asked) {
          asked = true;
          this.ask();
        }
      } else if (status === 404 || status === 410) {
        throw new Failure("the sign-in took too long, or the gateway has forgotten it; begin again");
      } else if (!busy.includes(status) || Date.now() > until) {
        throw new Failure(`the gateway did not give the outcome: ${reason(status, body)}`);
      }
      // A gateway that restarts says 202 with Retry-After: 0, and is away for a moment.
      if (status !== 202 || headers["retry-after"]) await rest(headers);
    }
  }

  /** Gives in the release code. It runs beside the wait, as the sign-in may also end at the browser. */
  async ask() {
    say("Type the code that the browser shows: ", "");
    for await (const line of createInterface({ input: process.stdin })) {
      const code = line.trim();
      if (!code) continue;
      const { status, body } = await this.patientCall("POST", "/release", { body: { code } });
      const left = body.attempts_left;
      if ([204, 404, 409, 410].includes(status) || left === 0) return;
      const tries = `That code is wrong; ${left} ${left === 1 ? "try" : "tries"} left.`;
      say(`${left ? tries : reason(status, body)}\nType the code: `, "");
    }
    say("\nThe code cannot be typed in: standard input has ended.");
    await this.end();
  }

  async opened({ status, error = {}, jwe = "" }) {
    if (status === "failed") {
      throw new Failure(`the sign-in failed: ${error.code}: ${error.description ?? "no description"}`);
    }
    return this.key.open(jwe).catch(() => {
      throw new Failure("the result cannot be opened: it is not sealed to our key, or was changed on its way");
    });
  }

  /** Says that the outcome arrived; of a request that is still pending, that nobody wants it any more. */
  async end() {
    await this.patientCall("DELETE");
  }
}

function openBrowser(url) {
  // Without a desktop, xdg-open would put a browser for text into this terminal.
  if (!/^https?:\/\//.test(url) || !(process.env.DISPLAY || process.env.WAYLAND_DISPLAY)) return;
  // No xdg-open is no error: the person has the address.
  spawn("xdg-open", [url], { stdio: "ignore", detached: true }).on("error", () => {}).unref();
}

function options() {
  const text = { type: "string" };
  try {
    const { values } = parseArgs({
      options: { gateway: text, app: text, scope: text, ca: text, "no-browser": { type: "boolean" } },
    });
    if (!values.gateway || !values.app) throw new UsageError("--gateway and --app are needed");
    return { ...values, gateway: new Gateway(values.gateway, values.ca) };
  } catch (error) {
    say(`${error.message}\nusage: sign_in.mjs --gateway URL --app ID [--scope "…"] [--ca FILE] [--no-browser]`);
    process.exit(2);
  }
}

async function main() {
  const given = options();
  let signIn, isInterrupted = false;
  try {
    signIn = await SignIn.begin(given.gateway, given.app, given.scope);
    process.once("SIGINT", async () => {
      isInterrupted = true;
      await signIn.end();
      process.exit(130);
    });
    say(`Open this address in a browser:\n\n  ${signIn.startURL}\n`);
    if (!given["no-browser"]) openBrowser(signIn.startURL);
    say(`Waiting for sign-in ${signIn.reference} …`);
    const result = await signIn.outcome();
    if (result.declined_scopes?.length) say(`Declined: ${result.declined_scopes.join(" ")}`);
    console.log(JSON.stringify(result.token_response));
    return 0;
  } catch (error) {
    if (isInterrupted) return 130;
    say(error instanceof Failure ? error.message : `cannot reach the gateway: ${error.message}`);
    return 1;
  } finally {
    await signIn?.end();
  }
}

// End the process explicitly, because the question may still be open.
process.exit(await main());
