import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'

/** A new secret by Standard Webhooks. */
export function newSecret(): string {
  return PREFIX + randomBytes(32).toString('base64')
}

interface Signed {
  id: string
  /** When it is sent, in milliseconds since the epoch. */
  ms: number
  body: string
}

/** The headers of a request, by Standard Webhooks: they prove who sent it and when. */
export function signedHeaders(secret: string, { id, ms, body }: Signed): Record<string, string> {
  const timestamp = String(Math.floor(ms / 1000))
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  }
}
