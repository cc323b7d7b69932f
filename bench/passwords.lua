-- POST /p/{slug}/~/password, each with another password. Argument: the other fields of the form.
dofile((debug.getinfo(1, 'S').source:gsub('^@', ''):gsub('[^/]*$', '')) .. 'report.lua')

local count, fields = 0, nil

function init(args)
  wrk.method = 'POST'
  fields = args[1]
end

function request()
  count = count + 1
  return wrk.format(nil, nil, nil, fields .. '&password=guess-' .. count)
end
