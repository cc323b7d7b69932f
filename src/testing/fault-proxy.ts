import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { newSha256 } from '../platform/ids.ts'

/** A fault of a request to the object store. */
export type Fault =
  /** The connection is reset before the store sees the request. */
  | 'reset'
  /** The store has carried it out, and its answer is lost. */
  | 'lost-answer'
  /** Nothing answers. */
  | 'hang'
  /** 503, with the XML of S3. */
  | 'busy'
  /** Another 5xx with HTML, as from a proxy in front. */
  | 'bad-gateway'
  /** 200 with HTML, as from something else than a store. */
  | 'web-page'
  /** 403, with the XML of S3. */
  | 'denied'
  /** The same, since the clocks are apart. */
  | 'skewed'
  /** The answer breaks off half-way. */
  | 'truncated'
  /** One byte of the answer is changed. */
  | 'wrong-byte'
  /** The answer stops half-way, and the connection stays. */
  | 'stalled'

export interface ProxiedRequest {
  method: string
  url: string
  /** The hash of its body is the one that it was signed with. */
  hasSignedHash: boolean
  /** Their names, in order. */
  signedHeaders: string
}

/** Passes requests on to an object store, and answers some of them wrongly. */
export async function startFaultProxy(storePort: number) {
  const requests: ProxiedRequest[] = []
  let faultOf: (request: IncomingMessage) => Fault | null = () => null
  const server = http.createServer(async (request, response) => {
    const { method = '', url = '' } = request
    const { authorization = '' } = request.headers
    const fault = faultOf(request)
    if (fault === 'reset') return void request.socket.destroy()
    const body = await bodyOf(request)
    const hash = newSha256().update(body).digest('hex')
    const hasSignedHash = request.headers['x-amz-content-sha256'] === hash
    const [, signedHeaders = ''] = /SignedHeaders=([^,]+)/.exec(authorization) ?? []
    requests.push({ method, url, hasSignedHash, signedHeaders })
    if (fault === 'hang') return
    const refusal = REFUSALS[fault ?? '']
    if (refusal !== undefined) return void response.writeHead(refusal[0]).end(refusal[1])
    passOn({ request, response, body, fault })
  })

  function passOn({ request, response, body, fault }: Passing): void {
    const { method, url, headers } = request
    const options = { host: '127.0.0.1', port: storePort, method, path: url, headers }
    const onward = http.request(options, async (answer) => {
      const bytes = await bodyOf(answer)
      if (fault === 'lost-answer') return void request.socket.destroy()
      const { 'transfer-encoding': _, ...answered } = answer.headers
      response.writeHead(answer.statusCode!, answered)
      const half = bytes.subarray(0, bytes.byteLength >> 1)
      if (fault === 'wrong-byte') bytes[bytes.byteLength >> 1]! ^= 1
      if (fault === 'truncated') response.write(half, () => request.socket.destroy())
      else if (fault === 'stalled') response.write(half)
      else response.end(bytes)
    })
    onward.on('error', () => request.socket.destroy())
    onward.end(body)
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    endpoint: `http://127.0.0.1:${port}`,
    /** Those that arrived whole. */
    requests,
    /** Every request meets this fault from now on; null: none. */
    always(fault: Fault | null) {
      faultOf = () => fault
    },
    /** The next requests meet these faults, one each. */
    next(...faults: Fault[]) {
      const left = [...faults]
      faultOf = () => left.shift() ?? null
    },
    async close() {
      server.closeAllConnections()
      await new Promise<unknown>((resolve) => server.close(resolve))
    },
  }
}
export type FaultProxy = Awaited<ReturnType<typeof startFaultProxy>>

interface Passing {
  request: IncomingMessage
  response: ServerResponse
  body: Buffer
  fault: Fault | null
}

const REFUSALS: Record<string, [status: number, body: string]> = {
  busy: [503, '<Error><Code>SlowDown</Code><Message>Reduce your request rate.</Message></Error>'],
  'bad-gateway': [502, '<html><title>502 Bad Gateway</title></html>'],
  'web-page': [200, '<html><title>Welcome</title></html>'],
  denied: [403, '<Error><Code>AccessDenied</Code></Error>'],
  skewed: [403, '<Error><Code>RequestTimeTooSkewed</Code></Error>'],
}

async function bodyOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(stream))
}
