import { createS3Client, readNothing, readText, type S3Settings } from '../blobs/s3/client.ts'
import { putInParts } from '../blobs/s3/multipart.ts'
import { listedObjects } from '../blobs/s3/xml.ts'
import type { Log } from '../log.ts'
import { newSha256 } from '../secrets.ts'
import { type BackupStore, backupTime } from './index.ts'

/** The most that S3 lists in one answer, and about how long that is. */
const LISTED = 1000
const ABOUT_LISTED_BYTES = 500

/** Keeps backups as objects of a bucket whose names begin with the prefix. */
export function backupBucket(settings: S3Settings, prefix: string, log: Log): BackupStore {
  const client = createS3Client(settings, { log })

  async function* objects(): AsyncGenerator<string> {
    for (let after: string | null = ''; after !== null; ) {
      const query = { prefix, 'max-keys': String(LISTED), ...(after && { marker: after }) }
      const answerBytes = LISTED * ABOUT_LISTED_BYTES
      const listed = listedObjects(
        await client.send({ method: 'GET', query, answerBytes }, readText),
      )
      for (const { name } of listed.objects) yield name
      after = listed.isWhole ? null : (listed.objects.at(-1)?.name ?? null)
    }
  }

  return {
    place: `${new URL(settings.endpoint).host}/${settings.bucket}/${prefix}`,
    put: (name, content) => putInParts(client, prefix + name, content),
    hashOf: (name, sizeBytes) =>
      client.send(
        { method: 'GET', object: prefix + name, answerBytes: sizeBytes },
        async (_headers, chunks) => {
          const sum = newSha256()
          for await (const chunk of chunks) sum.update(chunk)
          return sum.digest('hex')
        },
      ),
    async list() {
      const names: string[] = []
      for await (const object of objects()) {
        const name = object.slice(prefix.length)
        if (object.startsWith(prefix) && backupTime(name) !== null) names.push(name)
      }
      return names.sort()
    },
    delete: (name) => client.send({ method: 'DELETE', object: prefix + name }, readNothing),
    // Parts that a killed process has sent are no object. The bucket's own rules delete them.
    deleteUnfinished: async () => {},
  }
}
