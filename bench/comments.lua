-- POST /~/comments/post, each by another browser than the one before. Arguments: the address of the
-- server, a file with a cookie, a panel token and a source token (`stamp`) per line, and the name of
-- the run.
dofile((debug.getinfo(1, 'S').source:gsub('^@', ''):gsub('[^/]*$', '')) .. 'report.lua')

local panels, count, run = {}, 0, nil

function init(args)
  wrk.method = 'POST'
  run = args[3]
  for line in io.lines(args[2]) do
    local cookie, token, stamp = line:match('^(%S+) (%S+) (%S+)$')
    panels[#panels + 1] = {
      headers = {
        ['Content-Type'] = 'application/json', Origin = args[1], Cookie = cookie,
        ['Sec-Fetch-Site'] = 'same-origin',
      },
      body = '{"token":"' .. token .. '","stamp":"' .. stamp .. '","name":"Ann Example","body":'
        .. '"The quick brown fox jumps over the lazy dog, and back again.","id":"',
    }
  end
end

function request()
  count = count + 1
  local panel = panels[count % #panels + 1]
  return wrk.format(nil, nil, panel.headers, panel.body .. run .. '-comment-' .. count .. '"}')
end
