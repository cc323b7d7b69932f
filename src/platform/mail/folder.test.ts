import { expect, it } from 'bun:test'
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog } from '../log.ts'
import { folderTransport, sweepFolder } from './folder.ts'
import type { Message } from './index.ts'

const LINK = 'https://x.example/app/confirm/0123456789abcdef'
const MESSAGE: Message = {
  id: 'mail_1',
  to: 'ann@example.org',
  subject: 'Sign in',
  text: `Open\n${LINK}\nor https://x.example/other\n`,
  html: '<p>html</p>',
  headers: { 'Auto-Submitted': 'auto-generated' },
}

it('writes each mail to a file, and its subject and first link to the log', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'handbill-outbox-'))
  const folder = join(parent, 'outbox')
  const lines: string[] = []
  const log = createLog({ level: 'info', format: 'json' }, (line) => lines.push(line))
  const transport = folderTransport(folder, 'Handbill <pages@x.example>', log)
  await transport.send(MESSAGE)
  // A retry after a crash overwrites what the first attempt left.
  writeFileSync(join(folder, 'mail_1.eml.1.part'), 'the first ha')
  await transport.send(MESSAGE)
  await transport.close()
  expect(readdirSync(folder)).toEqual(['mail_1.eml'])
  const file = join(folder, 'mail_1.eml')
  const mail = readFileSync(file, 'utf8')
  expect(mail).toMatch(/^To: ann@example\.org\r$/m)
  expect(mail).toMatch(/^Subject: Sign in\r$/m)
  expect(mail).toMatch(/^Message-ID: <mail_1@x\.example>\r$/m)
  expect(mail).toContain(LINK)
  expect(lines).toHaveLength(2)
  expect(JSON.parse(lines[0]!)).toMatchObject({ to: MESSAGE.to, subject: 'Sign in', link: LINK })
  expect(statSync(file).mode & 0o077).toBe(0)
  for (const name of ['mail_2.eml', 'notes.eml']) {
    writeFileSync(join(folder, name), 'old')
    utimesSync(join(folder, name), 1000, 1000)
  }
  await sweepFolder(folder, statSync(file).mtimeMs)
  expect(readdirSync(folder).toSorted()).toEqual(['mail_1.eml', 'notes.eml'])
  rmSync(parent, { recursive: true })
})
