import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AwsV4Signer } from 'aws4fetch'
import type { S3Settings } from '../platform/blobs/s3/client.ts'

const PROGRAM = join(import.meta.dir, 's3-server.cjs')
/** The one key that the server knows. */
const KEY = 'S3RVER'

/** A real object store on the loopback. It verifies signatures. */
export async function startS3() {
  const folder = mkdtempSync(join(tmpdir(), 'handbill-s3-'))
  const child = Bun.spawn(['node', PROGRAM, folder], { stdin: 'pipe', stdout: 'pipe' })
  // Held until `close`: the server ends with it.
  const { stdin } = child
  const { value } = await child.stdout.getReader().read()
  const port = Number(new TextDecoder().decode(value))
  const endpoint = `http://127.0.0.1:${port}`

  return {
    port,
    endpoint,
    /** @returns the settings for a new, empty bucket */
    async newBucket(): Promise<S3Settings> {
      const bucket = `handbill-${randomBytes(6).toString('hex')}`
      const credentials = { region: 'us-east-1', accessKeyId: KEY, secretAccessKey: KEY }
      const url = `${endpoint}/${bucket}`
      const signer = new AwsV4Signer({ ...credentials, service: 's3', method: 'PUT', url })
      const { headers } = await signer.sign()
      const { status } = await fetch(url, { method: 'PUT', headers })
      if (status !== 200) throw new Error(`The object store answered ${status}`)
      return { bucket, endpoint, ...credentials }
    },
    async close() {
      stdin.end()
      child.kill()
      await child.exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
export type S3Server = Awaited<ReturnType<typeof startS3>>

/** The same settings as environment variables. */
export function s3Environment({ bucket, endpoint, region, ...key }: S3Settings) {
  return {
    S3_BUCKET: bucket,
    S3_ENDPOINT: endpoint,
    S3_REGION: region,
    S3_ACCESS_KEY_ID: key.accessKeyId,
    S3_SECRET_ACCESS_KEY: key.secretAccessKey,
  }
}
