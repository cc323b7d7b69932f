import { expect, test } from 'bun:test'
import { gunzipSync } from 'node:zlib'
import { createSharedGzip } from './shared-gzip.ts'

const STYLE = Array.from({ length: 500 }, (_, at) => `.c${at}{margin:${at}px}`).join('\n')
const SCRIPT = STYLE.replaceAll('margin', 'padding')
const documentWith = (own: string) => `<p>${own}<style>${STYLE}</style>${own}<script>${SCRIPT}`

function ask(acceptEncoding: string | null, text: string, method = 'GET') {
  const headers = acceptEncoding === null ? {} : { 'accept-encoding': acceptEncoding }
  const request = new Request('http://localhost/', { method, headers })
  const response = new Response(method === 'HEAD' ? null : text, {
    headers: { 'content-length': String(text.length) },
  })
  return createSharedGzip().respond(request, response, [STYLE, SCRIPT])
}

test('a document decodes to itself, whatever stands around what is shared', async () => {
  for (const text of [documentWith('é'), STYLE, SCRIPT + STYLE, documentWith(STYLE), 'none', '']) {
    const answer = await ask('br, gzip', text)
    const isCompressed = answer.headers.get('content-encoding') === 'gzip'
    const bytes = await answer.bytes()
    expect((isCompressed ? gunzipSync(bytes) : Buffer.from(bytes)).toString()).toBe(text)
  }
})

test('what is not shared is not compressed: only its length shows', async () => {
  const lengthWith = async (own: string) => (await ask('gzip', documentWith(own))).bytes()
  const lengths = await Promise.all(
    ['a'.repeat(200), STYLE.slice(0, 200), SCRIPT.slice(300, 500)].map(lengthWith),
  )
  expect(new Set(lengths.map(({ byteLength }) => byteLength)).size).toBe(1)
  expect(lengths[0]!.byteLength).toBeLessThan(documentWith('').length / 2)
})

test('it is sent as it is to a client that does not accept gzip', async () => {
  for (const accepted of [null, 'br', 'gzip;q=0', 'identity, gzip;q=0.5']) {
    const answer = await ask(accepted, documentWith('x'))
    expect(answer.headers.get('content-encoding')).toBeNull()
    expect(answer.headers.get('vary')).toBe('accept-encoding')
    expect(await answer.text()).toBe(documentWith('x'))
  }
})

test('HEAD names no length, which depends on the encoding', async () => {
  const answer = await ask('gzip', documentWith('x'), 'HEAD')
  expect(answer.headers.get('content-length')).toBeNull()
  expect(answer.headers.get('vary')).toBe('accept-encoding')
})
