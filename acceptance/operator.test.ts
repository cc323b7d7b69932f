/** What a server does at its start with its settings and its data folder. */
import { afterAll, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { command } from './server.ts'
import { cleanUp, freshEnvironment, start } from './start.ts'

afterAll(cleanUp)

test('only its owner can read a data folder that was made beforehand, and every file in it', async () => {
  const env = freshEnvironment()
  mkdirSync(env.DATA_DIR!, { recursive: true })
  chmodSync(env.DATA_DIR!, 0o755)
  writeFileSync(join(env.DATA_DIR!, 'handbill.db'), '', { mode: 0o644 })
  const server = await start(env)
  const open = readdirSync(env.DATA_DIR!, { recursive: true, encoding: 'utf8' })
    .concat('.')
    .filter((name) => (statSync(join(env.DATA_DIR!, name)).mode & 0o077) !== 0)
  expect(await server.stop()).toBe(0)
  expect(open).toEqual([])
})

test('a CONTENT_URL on the domain of BASE_URL is refused at the start, in one line', async () => {
  const env = {
    ...freshEnvironment(),
    BASE_URL: 'https://app.example.com',
    CONTENT_URL: 'https://{page}.pages.example.com',
  }
  const { code, stdout, stderr } = await command(env, 'serve')
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr.trim().split('\n')).toHaveLength(1)
  expect(stderr).toContain('CONTENT_URL and BASE_URL (https://app.example.com) share the domain')
})

test('systemd starts a server again for as long as its database is away', () => {
  const unit = readFileSync(join(import.meta.dir, '../deploy/handbill.service'), 'utf8')
  const [start = '', service = ''] = unit.split('[Service]')
  expect(service).toContain('\nRestart=always\n')
  expect(start).toContain('\nStartLimitIntervalSec=0\n')
})

test('nginx passes on the host that was asked for, with its port', () => {
  for (const file of ['../deploy/nginx.conf', '../docs/own-origins.md']) {
    const text = readFileSync(join(import.meta.dir, file), 'utf8')
    const hosts = [...text.matchAll(/proxy_set_header Host (\S+);/g)].map(([, host]) => host)
    expect(hosts).toEqual(['$http_host'])
  }
})

test('the disk of a new data folder may have its lost+found, and is as new as without', async () => {
  const env = freshEnvironment()
  mkdirSync(join(env.DATA_DIR!, 'lost+found'), { recursive: true })
  const refused = await command(env, 'account', 'list')
  expect(refused.stderr).toStartWith(`handbill: There are no data in ${env.DATA_DIR}.`)
  const server = await start(env)
  expect(await server.stop()).toBe(0)
  expect(server.output()).toContain(`THIS IS A NEW, EMPTY DATA FOLDER: ${env.DATA_DIR}`)
})
