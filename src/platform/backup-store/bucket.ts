import { BlobDamaged } from '../blobs/index.ts'
import { createS3Client, readText, type S3Settings } from '../blobs/s3/client.ts'
import { listObjects, putInParts, readExactly } from '../blobs/s3/objects.ts'
import { sha256Of } from '../ids.ts'
import { type BackupStore, backupTime, type StoredBackup } from './index.ts'

/** Keeps backups as objects of a bucket whose names begin with the prefix. */
export function backupBucket(settings: S3Settings, prefix: string): BackupStore {
  const client = createS3Client(settings, {})

  return {
    place: `${new URL(settings.endpoint).host}/${settings.bucket}/${prefix}`,
    put: (name, content) => putInParts(client, prefix + name, content),
    hashOf: (name, sizeBytes) =>
      client.send(
        { method: 'GET', object: prefix + name, answerBytes: sizeBytes },
        (_headers, chunks) => sha256Of(chunks),
      ),
    async list() {
      const backups: StoredBackup[] = []
      for await (const { name: object, sizeBytes } of listObjects(client, prefix)) {
        const name = object.slice(prefix.length)
        if (backupTime(name) !== null) backups.push({ name, sizeBytes })
      }
      return backups.sort((a, b) => (a.name < b.name ? -1 : 1))
    },
    async sizeOf(name) {
      const head = { method: 'HEAD', object: prefix + name } as const
      try {
        return await client.send(head, async (headers) => Number(headers.get('content-length')))
      } catch (err) {
        if (err instanceof BlobDamaged) return null
        throw err
      }
    },
    read(name, { start, end }) {
      const headers = { range: `bytes=${start}-${end - 1}` }
      const answerBytes = end - start
      return client.send(
        { method: 'GET', object: prefix + name, headers, answerBytes },
        (_headers, chunks) => readExactly(chunks, answerBytes),
      )
    },
    pathOf: () => null,
    delete: (name) => client.send({ method: 'DELETE', object: prefix + name }, readText),
    // Parts that a killed process has sent are no object. The bucket's own rules delete them.
    deleteUnfinished: async () => {},
  }
}
