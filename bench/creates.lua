-- POST /api/v1/pages with 10 KB of HTML, each page another. Arguments: API key, a word of this run.
dofile((debug.getinfo(1, 'S').source:gsub('^@', ''):gsub('[^/]*$', '')) .. 'report.lua')

local count, before, after, word = 0, nil, nil, nil

function init(args)
  wrk.method = 'POST'
  wrk.headers['Authorization'] = 'Bearer ' .. args[1]
  wrk.headers['Content-Type'] = 'application/json'
  word = args[2]
  before = '{"html":"<!doctype html><html lang=\\"en\\"><head><title>Page '
  after = string.rep('<p>The quick brown fox jumps over the lazy dog, and back again.</p>\\n', 147)
    .. '</body></html>"}'
end

function request()
  count = count + 1
  local name = word .. '-' .. count
  return wrk.format(nil, nil, nil, before .. name .. '</title></head><body><h1>' .. name .. '</h1>' .. after)
end
