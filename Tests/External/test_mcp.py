"""`switchyard mcp`: the messages between a client on standard input and output and a server behind HTTP."""

import itertools
import json
import signal
import threading

import pytest

from harness.cases import cases
from harness.mcp import INITIALIZED, Bridge, Standin, call, initialize, legacy, modern, result
from harness.programs import run


@pytest.fixture
def start(request):
    def make(url, *options, **more):
        bridge = Bridge(url, *options, **more)
        request.addfinalizer(bridge.stop)
        return bridge

    return make


@pytest.fixture
def serve(request):
    def make(answer=legacy):
        server = Standin(answer)
        request.addfinalizer(server.stop)
        return server

    return make


def test_a_session_from_its_beginning_to_its_end(start, serve):
    server = serve()
    bridge = start(server.url)
    assert bridge.begin()["result"]["protocolVersion"] == "2025-11-25"
    assert bridge.ask(call(1, "tools/call", name="x"))["result"]["echo"] == {"name": "x"}
    server.wait_for(lambda one: one.command == "GET")
    assert bridge.finish() == 0
    first, *others = server.requests
    assert "Mcp-Session-Id" not in first.headers and "MCP-Protocol-Version" not in first.headers
    assert first.headers["Accept"] == "application/json, text/event-stream"
    for one in others:
        assert one.headers["Mcp-Session-Id"] == "session-1" and one.headers["MCP-Protocol-Version"] == "2025-11-25"
        assert "Mcp-Method" not in one.headers
    assert others[-1].command == "DELETE"


def test_bytes_of_messages_are_not_changed(start, serve):
    server = serve(lambda exchange: exchange.reply(200, b'{ "jsonrpc" : "2.0",\r\n "id":1 ,"result":{"a":1.50,"b":"\\u00e9"} }\n'))
    bridge = start(server.url)
    sent = b'{"id":1,  "jsonrpc":"2.0", "method":"tools/call","params":{"n":1.0,"s":"\\u00e9"}}'
    bridge.write(sent + b"\r\n")
    assert bridge.line() == b'{ "jsonrpc" : "2.0",   "id":1 ,"result":{"a":1.50,"b":"\\u00e9"} } \n'
    assert server.requests[0].content == sent


def test_messages_behind_initialize_wait_for_its_answer_and_those_behind_a_notification_for_its_202(start, serve):
    gates = {"initialize": threading.Event(), "notifications/initialized": threading.Event()}

    def answer(exchange):
        if exchange.method in gates:
            assert gates[exchange.method].wait(30)
        legacy(exchange)

    server = serve(answer)
    bridge = start(server.url)
    bridge.send(initialize(), INITIALIZED, call(1, "tools/list"), call(2, "tools/list"))
    server.wait_for(lambda one: one.method == "initialize")
    assert len(server.requests) == 1
    gates["initialize"].set()
    server.wait_for(lambda one: one.method == "notifications/initialized")
    assert len(server.requests) == 2
    gates["notifications/initialized"].set()
    assert {bridge.next()["id"] for _ in range(3)} == {0, 1, 2}


def test_requests_go_side_by_side(start, serve):
    both = threading.Barrier(2, timeout=30)

    def answer(exchange):
        both.wait()
        legacy(exchange)

    bridge = start(serve(answer).url)
    bridge.send(call(1, "a"), call("1", "b"))
    assert {bridge.next()["id"] for _ in range(2)} == {1, "1"}


def test_a_stream_brings_messages_before_the_answer(start, serve):
    progress = {"jsonrpc": "2.0", "method": "notifications/progress", "params": {}}
    question = {"jsonrpc": "2.0", "id": "q", "method": "sampling/createMessage", "params": {}}

    def answer(exchange):
        if exchange.method != "tools/call":
            return legacy(exchange)
        exchange.stream(b": alive\n\n", progress, question)
        server.wait_for(lambda one: (one.message or {}).get("id") == "q" and "result" in one.message)
        exchange.event(result(exchange.message, done=True))

    server = serve(answer)
    bridge = start(server.url)
    bridge.begin()
    bridge.send(call(1, "tools/call"))
    assert [bridge.next(), bridge.next()] == [progress, question]
    bridge.send({"jsonrpc": "2.0", "id": "q", "result": {}})
    assert bridge.next()["result"] == {"done": True}


def test_the_server_speaks_by_itself(start, serve):
    news = {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}

    def answer(exchange):
        if exchange.command != "GET":
            return legacy(exchange)
        if "Last-Event-ID" in exchange.headers:
            assert exchange.headers["Last-Event-ID"] == "7"
            exchange.stream(news)
            return threading.Event().wait(10)
        exchange.stream(b"id: 7\nretry: 60\n", news)

    bridge = start(serve(answer).url)
    bridge.begin()
    assert [bridge.next(), bridge.next()] == [news, news]


def test_a_broken_stream_is_continued(start, serve):
    def answer(exchange):
        if exchange.command == "GET" and "Last-Event-ID" in exchange.headers:
            if exchange.headers["Last-Event-ID"] == "one":
                return exchange.stream(b"id: two\nretry: 50\ndata:\n\n")
            return exchange.stream({"jsonrpc": "2.0", "id": 1, "result": {"late": True}})
        if exchange.method != "tools/call":
            return legacy(exchange)
        exchange.stream(b"id: one\nretry: 50\ndata:\n\n")

    bridge = start(serve(answer).url)
    bridge.begin()
    assert bridge.ask(call(1, "tools/call"))["result"] == {"late": True}


def test_a_broken_stream_that_cannot_be_continued_is_an_error(start, serve):
    bridge = start(serve(lambda exchange: exchange.stream(b"data:\n\n")).url)
    answer = bridge.ask(call(1, "tools/call"))
    assert answer["error"]["code"] == -32603 and "ended before the answer" in answer["error"]["message"]


@pytest.mark.parametrize("is_modern", [False, True])
def test_cancelled_closes_the_stream(start, serve, is_modern):
    closed = threading.Event()

    def answer(exchange):
        if exchange.method != "tools/call":
            return legacy(exchange)
        exchange.stream_until(closed)

    server = serve(answer)
    bridge = start(server.url)
    if not is_modern:
        bridge.begin()
    bridge.send(modern(1, "tools/call", name="x") if is_modern else call(1, "tools/call"))
    server.wait_for(lambda one: one.method == "tools/call")
    bridge.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}})
    assert closed.wait(30)
    answer = bridge.ask(modern(2, "tools/list") if is_modern else call(2, "tools/list"))
    assert "result" in answer
    assert any(one.method == "notifications/cancelled" for one in server.requests) != is_modern
    assert bridge.finish() == 0


def test_a_lost_session_begins_again_with_the_clients_own_initialize(start, serve):
    sessions = iter(["first", "second", "third"])

    def answer(exchange):
        if exchange.method == "initialize":
            return legacy(exchange, session=next(sessions))
        if exchange.command == "POST" and exchange.headers["Mcp-Session-Id"] == "first" and exchange.method == "tools/call":
            return exchange.reply(404)
        legacy(exchange)

    server = serve(answer)
    bridge = start(server.url)
    bridge.begin()
    bridge.send(call(1, "tools/call", name="a"), call(2, "tools/call", name="b"))
    assert {bridge.next()["id"] for _ in range(2)} == {1, 2}
    begun = [one for one in server.requests if one.method == "initialize"]
    assert len(begun) == 2 and begun[0].content == begun[1].content
    assert sum(one.method == "notifications/initialized" for one in server.requests) == 2
    assert bridge.finish() == 0
    assert bridge.lines.empty()
    assert server.requests[-1].headers["Mcp-Session-Id"] == "second"


def test_a_session_that_could_not_begin_again_is_tried_at_the_next_call(start, serve):
    begun = itertools.count()

    def answer(exchange):
        if exchange.method == "initialize":
            number = next(begun)
            return exchange.reply(503) if number == 1 else legacy(exchange, session=f"session-{number}")
        if exchange.method == "tools/call" and exchange.headers["Mcp-Session-Id"] == "session-0":
            return exchange.reply(404)
        legacy(exchange)

    server = serve(answer)
    bridge = start(server.url)
    bridge.begin()
    assert "begins no other one" in bridge.ask(call(1, "tools/call"))["error"]["message"]
    assert "result" in bridge.ask(call(2, "tools/call"))
    last = [one for one in server.requests if one.method == "tools/call"][-1]
    assert last.headers["Mcp-Session-Id"] == "session-2"


def test_a_session_that_is_lost_again_is_an_error(start, serve):
    def answer(exchange):
        return exchange.reply(404) if exchange.method == "tools/call" else legacy(exchange)

    server = serve(answer)
    bridge = start(server.url)
    bridge.begin()
    assert "ended the session" in bridge.ask(call(1, "tools/call"))["error"]["message"]
    assert sum(one.method == "initialize" for one in server.requests) == 2


@pytest.mark.parametrize("line, code, number", [
    (b"hello", -32700, None), (b"{", -32700, None), (b'{"jsonrpc":"2.0","id":1,"id":2,"method":"a"}', -32700, None),
    (b'"\xff"', -32700, None), (b"[]", -32600, None), (b"{}", -32600, None), (b'{"jsonrpc":"2.0","id":5,"method":7}', -32600, 5),
    (b'{"jsonrpc":"2.0","id":null,"method":"a"}', -32600, None), (b'{"jsonrpc":"1.0","id":"x","method":"a"}', -32600, "x"),
])
def test_input_that_is_no_message(start, serve, line, code, number):
    server = serve()
    bridge = start(server.url)
    bridge.write(b"\n" + line + b"\n")
    answer = bridge.next()
    assert (answer["error"]["code"], answer["id"]) == (code, number)
    assert not server.requests
    assert bridge.ask(call(9, "ping"))["result"]


def test_an_id_that_is_in_use_is_refused(start, serve):
    go = threading.Event()

    def answer(exchange):
        go.wait(30)
        legacy(exchange)

    server = serve(answer)
    bridge = start(server.url)
    bridge.send(call(1, "a"))
    server.wait_for(lambda one: True)
    bridge.send(call(1, "b"))
    assert bridge.next()["error"]["code"] == -32600
    go.set()
    assert bridge.next()["id"] == 1


# The ways of a server to put something else in the place of an answer, or to reach the terminal.
GOOD = b'{"jsonrpc":"2.0","id":1,"result":{}}'
HOSTILE = {
    "two messages in one answer": GOOD + b"\n" + GOOD.replace(b"1,", b"2,"),
    "a second answer on a line of its own in a string": b'{"jsonrpc":"2.0","id":1,"result":{"a":"\n' + GOOD + b'"}}',
    "an answer to another request": GOOD.replace(b'"id":1', b'"id":2'),
    "a number in the place of a text": GOOD.replace(b'"id":1', b'"id":"1"'),
    "no JSON": b"hello",
    "nothing but blanks": b"  \r\n ",
    "a list": b"[" + GOOD + b"]",
    "an id twice": b'{"jsonrpc":"2.0","id":1,"id":2,"result":{}}',
    "a result and an error": b'{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"x"}}',
    "a result that is no object": b'{"jsonrpc":"2.0","id":1,"result":7}',
    "bytes that are no text": GOOD.replace(b"{}}", b'{"a":"\xff\xfe"}}'),
    "an escape sequence as it is": GOOD.replace(b"{}}", b'{"a":"\x1b]0;x\x07"}}'),
    "half of a surrogate pair": GOOD.replace(b"{}}", b'{"a":"\\ud800"}}'),
    "a byte order mark": b"\xef\xbb\xbf" + GOOD,
    "nested too deeply": b'{"jsonrpc":"2.0","id":1,"result":{"a":' + b"[" * 5000 + b"]" * 5000 + b"}}",
    "another protocol": b'{"jsonrpc":"1.0","id":1,"result":{}}',
    "an infinite exponent with text behind": GOOD + b" 1e999",
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("as_stream", [False, True])
def test_hostile_answers_do_not_reach_the_client(start, serve, name, as_stream):
    body = HOSTILE[name]

    def answer(exchange):
        if exchange.message["id"] != 1:
            return legacy(exchange)
        if as_stream:
            return exchange.stream(b"".join(b"data: " + line + b"\n" for line in body.split(b"\n")) + b"\n")
        exchange.reply(200, body)

    bridge = start(serve(answer).url)
    bridge.send(call(1, "tools/call"))
    line = bridge.line()
    answer = json.loads(line)
    if as_stream and "result" in answer:
        # A stream's bytes that are no UTF-8 are repaired by its own rules.
        assert name == "bytes that are no text"
    else:
        assert answer["id"] == 1 and answer["error"]["message"].startswith("switchyard: ")
    assert b"\x1b" not in line and bridge.ask(call(2, "ping"))["result"]
    assert bridge.finish() == 0 and bridge.lines.empty()
    assert "\x1b" not in "".join(bridge.notes)


@cases(
    {"status": 200, "body": b'<html>\x1b[2J</html>', "kind": "text/html", "fields": {},
     "words": "no MCP server"},
    {"status": 307, "body": b'', "kind": "text/plain", "fields": {'Location': 'http://127.0.0.1:1/\x7fÂ\x9b'},
     "words": "no redirect is followed"},
    {"status": 503, "body": b'\x1b]0;owned\x07 busy', "kind": "text/plain", "fields": {'Retry-After': '7'},
     "words": "wait for 7 s"},
    {"status": 202, "body": b'', "kind": "text/plain", "fields": {},
     "words": "without an answer"},
    {"status": 400, "body": b'{"jsonrpc":"2.0","id":null,"error":{"code":-5,"message":"why"}}', "kind": "application/json", "fields": {},
     "words": "why"},
)
def test_answers_that_are_none(start, serve, status, body, kind, fields, words):
    server = serve(lambda exchange: exchange.reply(status, body, kind, **fields))
    bridge = start(server.url)
    bridge.send(call(1, "tools/call"))
    line = bridge.line()
    assert words in json.loads(line)["error"]["message"] and b"\x1b" not in line
    assert len(server.requests) == 1


def test_a_server_that_is_away_is_an_error(start):
    bridge = start("http://127.0.0.1:1/mcp")
    assert bridge.ask(initialize())["error"]["code"] == -32603


def test_a_session_id_that_no_field_takes_is_refused(start, serve):
    bridge = start(serve(lambda exchange: legacy(exchange, session="a b")).url)
    assert "session id" in bridge.ask(initialize())["error"]["message"]


def test_credentials_of_the_person_are_not_replaced(start, serve):
    """A sign-in would be for other credentials than those that the person named."""
    server = serve(lambda exchange: exchange.reply(401, WWW_Authenticate="Bearer"))
    bridge = start(server.url, "--header", "Authorization: Bearer ${KEY}", env={"KEY": "k-1"})
    answer = bridge.ask(call(1, "ping"))
    assert answer["error"]["code"] == 401 and "Authorization field of --header" in answer["error"]["message"]
    assert len(server.requests) == 1


# Revision 2026-07-28.


def test_a_modern_call_has_its_fields(start, serve):
    server = serve()
    bridge = start(server.url)
    bridge.ask(modern(1, "tools/call", name="wörter", arguments={}))
    fields = server.requests[0].headers
    assert fields["MCP-Protocol-Version"] == "2026-07-28" and fields["Mcp-Method"] == "tools/call"
    assert fields["Mcp-Name"] == "=?base64?d8O2cnRlcg==?="
    assert bridge.finish() == 0
    assert len(server.requests) == 1


def tool(name, **properties):
    return {"name": name, "inputSchema": {"type": "object", "properties": properties}}


def test_tools_with_bad_annotations_are_left_out_and_parameters_mirrored(start, serve):
    good, bad = tool("good", region={"type": "string", "x-mcp-header": "Region"}), tool("bad", n={"type": "number", "x-mcp-header": "N"})

    def answer(exchange):
        if exchange.method == "tools/list":
            return exchange.reply(200, result(exchange.message, tools=[good, bad], resultType="complete"))
        legacy(exchange)

    server = serve(answer)
    bridge = start(server.url)
    assert bridge.ask(modern(1, "tools/list"))["result"]["tools"] == [good]
    bridge.ask(modern(2, "tools/call", name="good", arguments={"region": "x\r\nHost: evil"}))
    assert server.requests[1].headers["Mcp-Param-Region"] == "=?base64?eA0KSG9zdDogZXZpbA==?="
    assert bridge.finish() == 0
    assert "\"bad\" is left out" in "".join(bridge.notes)


def test_a_header_mismatch_has_the_tools_listed_again(start, serve):
    pages = {None: ([], "next"), "next": ([tool("sql", region={"type": "string", "x-mcp-header": "Region"})], None)}

    def answer(exchange):
        if exchange.method == "tools/list":
            tools, cursor = pages[exchange.message["params"].get("cursor")]
            return exchange.reply(200, result(exchange.message, tools=tools, **({"nextCursor": cursor} if cursor else {})))
        if "Mcp-Param-Region" not in exchange.headers:
            error = {"jsonrpc": "2.0", "id": exchange.message["id"], "error": {"code": -32020, "message": "Header mismatch"}}
            return exchange.reply(400, error)
        legacy(exchange)

    server = serve(answer)
    bridge = start(server.url)
    assert "result" in bridge.ask(modern(1, "tools/call", name="sql", arguments={"region": "eu"}))
    assert [one.method for one in server.requests] == ["tools/call", "tools/list", "tools/list", "tools/call"]
    assert bridge.ask(modern(2, "tools/call", name="other", arguments={}))["error"]["code"] == -32020


# The command.


def test_fields_of_the_person(start, serve):
    server = serve()
    bridge = start(server.url, "--header", "Authorization: Bearer ${KEY}", "--header", "X-Team: a b", env={"KEY": "k-1"})
    bridge.ask(call(1, "ping"))
    assert server.requests[0].headers["Authorization"] == "Bearer k-1" and server.requests[0].headers["X-Team"] == "a b"


@pytest.mark.parametrize("arguments, words", [
    (["http://example.com/mcp"], "http on loopback only"), (["ftp://localhost/"], "is no server"), ([], "URL is missing"),
    (["https://example.com/mcp#x"], "is no server"),
    (["https://example.com/", "--header", "X"], "NAME: VALUE"), (["https://example.com/", "--header", "Mcp-Session-Id: 1"], "transport"),
    (["https://example.com/", "--header", "mcp-param-x: 1"], "transport"), (["https://example.com/", "--header", "host: x"], "transport"),
    (["https://example.com/", "--header", "X: a\r\nY: b"], "control character"), (["https://example.com/", "--header", "X: ${NO_SUCH}"], "NO_SUCH"),
])
def test_wrong_usage(arguments, words):
    done = run("mcp", *arguments)
    assert done.returncode == 2 and words in done.stderr


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_session(start, serve, number):
    server = serve()
    bridge = start(server.url)
    bridge.begin()
    server.wait_for(lambda one: one.command == "GET")
    bridge.process.send_signal(number)
    assert bridge.end() == 0
    assert server.requests[-1].command == "DELETE"


def test_calls_under_way_at_the_end_of_the_input_are_answered(serve, start):
    def answer(exchange):
        threading.Event().wait(0.3)
        legacy(exchange)

    bridge = start(serve(answer).url)
    bridge.send(call(1, "ping"))
    assert bridge.finish() == 0
    assert bridge.next()["id"] == 1
