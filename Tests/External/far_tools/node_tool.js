// A tool in Node: asks xdg-open to open its sign-in, and waits for one callback. Usage: AUTHORIZATION_ENDPOINT
const http = require("http");
const { spawn } = require("child_process");
const state = require("crypto").randomBytes(16).toString("hex");
const server = http.createServer((request, response) => {
  const url = new URL(request.url, "http://localhost");
  console.log("RECEIVED", url.pathname, url.searchParams.get("state") === state, url.searchParams.has("code"));
  response.setHeader("Content-Type", "text/html");
  response.end("<h1>Node is content</h1>");
  server.close();
});
server.listen(0, "localhost", () => {
  const query = new URLSearchParams({
    response_type: "code", client_id: "contoso-suite", scope: "openid", state,
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", code_challenge_method: "S256",
    redirect_uri: `http://localhost:${server.address().port}/callback`,
  });
  spawn("xdg-open", [`${process.argv[2]}?${query}`], { stdio: "ignore", detached: true }).unref();
});
