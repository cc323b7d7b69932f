import { describe, expect, it } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { testApp } from '../testing/app.ts'
import { expectOwnHeaders } from '../testing/isolation.ts'
import { htmlOf } from '../testing/material.ts'

describe('a page whose content is missing on the disk', () => {
  it('is 500, in a notice that names the request and nothing of the page', async () => {
    await using other = await testApp('sqlite')
    const { key, publish } = await other.owner()
    const broken = other.listen()
    const [small, large] = [
      await publish('<title>Secret</title>'),
      await publish(htmlOf(2_000_000)),
    ]
    await other.database.write((tx) =>
      tx.deleteFrom('blobs').where('size_bytes', '<', 10_000).execute(),
    )
    rmSync(join(other.folder, 'blobs'), { recursive: true })
    for (const { slug, id } of [small, large]) {
      for (const method of ['GET', 'HEAD']) {
        const answer = await fetch(`http://127.0.0.1:${broken.port}/p/${slug}`, { method })
        expect(answer.status).toBe(500)
        expectOwnHeaders(answer)
        const text = await answer.text()
        expect(text).not.toMatch(/Secret|Blob|damaged|Error:/)
        if (method === 'GET') {
          const { request_id: requestId } = other.log.lines.at(-1)!.fields as { request_id: string }
          expect(text).toContain(requestId)
        }
      }
      const read = await other.api(`/pages/${id}/html`, {
        headers: { authorization: `Bearer ${key}` },
      })
      expect(read.status).toBe(500)
      expect(await read.text()).not.toMatch(/Secret|Blob|damaged|Error:/)
    }
    await broken.stop()
  })
})
