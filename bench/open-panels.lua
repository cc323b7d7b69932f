-- POST /~/comments as open panels do: each connection asks every `every` milliseconds what changed
-- since a revision. Arguments: the address of the server, a file with a cookie, a panel token and a
-- source token (`stamp`) per line, the revision, the number of connections, and `every`.
dofile((debug.getinfo(1, 'S').source:gsub('^@', ''):gsub('[^/]*$', '')) .. 'report.lua')

local requests, count, delays, connections, every = {}, 0, 0, nil, nil

function init(args)
  local headers = {
    ['Content-Type'] = 'application/json', Origin = args[1], ['Sec-Fetch-Site'] = 'same-origin',
  }
  connections, every = tonumber(args[4]), tonumber(args[5])
  for line in io.lines(args[2]) do
    local cookie, token, stamp = line:match('^(%S+) (%S+) (%S+)$')
    headers.Cookie = cookie
    local body = '{"token":"' .. token .. '","stamp":"' .. stamp .. '","known":' .. args[3] .. '}'
    requests[#requests + 1] = wrk.format('POST', nil, headers, body)
  end
end

-- The first requests of the connections are spread over the time until their second ones.
function delay()
  delays = delays + 1
  if delays > connections then return every end
  return math.floor(delays * every / connections)
end

function request()
  count = count + 1
  return requests[count % #requests + 1]
end
