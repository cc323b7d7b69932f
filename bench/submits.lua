-- POST /~/responses, each with its own id. Arguments: a file with a viewer token and a source token
-- (`stamp`) per line, and the name of the run. The first response of a viewer is new, later ones
-- replace it.
dofile((debug.getinfo(1, 'S').source:gsub('^@', ''):gsub('[^/]*$', '')) .. 'report.lua')

local viewers, count, run = {}, 0, nil

function init(args)
  wrk.method = 'POST'
  wrk.headers['Content-Type'] = 'text/plain'
  run = args[2]
  for line in io.lines(args[1]) do
    local token, stamp = line:match('^(%S+) (%S+)$')
    viewers[#viewers + 1] = '{"token":"' .. token .. '","stamp":"' .. stamp .. '","data":"{'
      .. '\\"name\\":\\"Ann Example\\",\\"seats\\":2,\\"meal\\":\\"fish\\",\\"news\\":true,'
      .. '\\"remarks\\":\\"The quick brown fox jumps over the lazy dog, and back again.\\"}","id":"'
  end
end

function request()
  count = count + 1
  return wrk.format(nil, nil, nil, viewers[count % #viewers + 1] .. run .. '-' .. count .. '"}')
end
