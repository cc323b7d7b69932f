-- POST /api/v1/pages with 10 KB of HTML, different for each page.
-- Arguments: API key, name of the run.
dofile((debug.getinfo(1, 'S').source:gsub('^@', ''):gsub('[^/]*$', '')) .. 'report.lua')

local count, before, after, run = 0, nil, nil, nil

function init(args)
  wrk.method = 'POST'
  wrk.headers['Authorization'] = 'Bearer ' .. args[1]
  wrk.headers['Content-Type'] = 'application/json'
  run = args[2]
  before = '{"html":"<!doctype html><html lang=\\"en\\"><head><title>Page '
  after = string.rep('<p>The quick brown fox jumps over the lazy dog, and back again.</p>\\n', 147)
    .. '</body></html>"}'
end

function request()
  count = count + 1
  local name = run .. '-' .. count
  return wrk.format(nil, nil, nil, before .. name .. '</title></head><body><h1>' .. name .. '</h1>' .. after)
end
