-- Begins sign-ins. Each answer is a request that stays pending.

dofile(debug.getinfo(1, "S").source:match("^@(.*)/") .. "/report.lua")

wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.body = '{"app":"com.contoso.app1"}'
