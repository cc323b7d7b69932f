-- POST /~/votes, each by another voter than the one before, and for another option than the voter's
-- last one. Arguments: the address of the server, a file with a cookie, a panel token and a source
-- token (`stamp`) per line, and how many votes earlier runs have cast.
dofile((debug.getinfo(1, 'S').source:gsub('^@', ''):gsub('[^/]*$', '')) .. 'report.lua')

local voters, count, origin = {}, 0, nil
local options = { 'Lisbon', 'Porto', 'Copenhagen' }

function init(args)
  wrk.method = 'POST'
  origin = args[1]
  for line in io.lines(args[2]) do
    local cookie, token, stamp = line:match('^(%S+) (%S+) (%S+)$')
    voters[#voters + 1] = {
      headers = {
        ['Content-Type'] = 'application/json', Origin = origin, Cookie = cookie,
        ['Sec-Fetch-Site'] = 'same-origin',
      },
      body = '{"token":"' .. token .. '","stamp":"' .. stamp .. '","is_named":false,"option":"',
    }
  end
  count = tonumber(args[3])
end

function request()
  count = count + 1
  local voter = voters[count % #voters + 1]
  local option = options[math.floor(count / #voters) % #options + 1]
  return wrk.format(nil, nil, voter.headers, voter.body .. option .. '"}')
end
