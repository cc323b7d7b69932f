import { expect, test } from 'bun:test'
import type { Page } from '../../model/page/index.ts'
import { createSecrets } from '../../platform/secrets.ts'
import { aliasOf, createViewers } from './index.ts'

const { viewerOf, participantOf } = createViewers({
  secrets: createSecrets(new Uint8Array(32).fill(7)),
})
const [page, other] = [{ id: 'pg_1' } as Page, { id: 'pg_2' } as Page]
const ANN = 'ann@example.com'

test('a viewer has one key on a page, and another key on another page', () => {
  for (const identity of [{ email: ANN }, { device: ANN }]) {
    const { key } = viewerOf(page, identity)
    expect(viewerOf(page, identity).key).toBe(key)
    expect(viewerOf(other, identity).key).not.toBe(key)
    expect(key).not.toContain('ann')
  }
})

test('an address and a browser of the same name are two viewers', () => {
  const viewer = viewerOf(page, { email: ANN })
  const anonymous = viewerOf(page, { device: ANN })
  expect(viewer.key).not.toBe(anonymous.key)
  expect([viewer.email, viewer.displayName]).toEqual([ANN, ANN])
  expect(anonymous.email).toBeNull()
  expect(anonymous.displayName).toMatch(/^[A-Z][a-z]+ [A-Z][a-z]+$/)
})

test('a participant is their first address, else their browser, and has a key for each', () => {
  const device = 'browser'
  const nobody = participantOf(page, { isOwner: false, emails: [], device })
  const ofDevice = viewerOf(page, { device })
  expect(nobody).toEqual({
    kind: 'anonymous',
    email: null,
    emails: [],
    key: ofDevice.key,
    deviceKey: ofDevice.key,
    alias: ofDevice.displayName,
  })
  const emails = [ANN, 'bob@example.com']
  const confirmed = participantOf(page, { isOwner: false, emails, device })
  const { key } = viewerOf(page, { email: ANN })
  expect(confirmed).toMatchObject({ kind: 'confirmed', email: ANN, emails, key })
  expect(confirmed.deviceKey).toBe(ofDevice.key)
  expect(confirmed.alias).toMatch(/^[A-Z][a-z]+ [A-Z][a-z]+$/)
  expect(participantOf(page, { isOwner: true, emails, device })).toEqual({
    ...confirmed,
    kind: 'owner',
  })
  expect(participantOf(other, { isOwner: false, emails, device }).key).not.toBe(key)
})

test('an alias is two words, always the same for a key, and rarely shared', () => {
  const secrets = createSecrets(new Uint8Array(32))
  const aliases = Array.from({ length: 2000 }, (_, at) =>
    aliasOf(secrets.sign('viewer', 'pg_1', 'device', String(at))),
  )
  for (const alias of aliases) expect(alias).toMatch(/^[A-Z][a-z]+ [A-Z][a-z]+$/)
  const words = (at: number) => new Set(aliases.map((alias) => alias.split(' ')[at]))
  for (const at of [0, 1]) expect(words(at).size).toBeGreaterThan(150)
  expect(new Set(aliases).size).toBeGreaterThan(1900)
  expect(aliasOf(secrets.sign('viewer', 'pg_1', 'device', '0'))).toBe(aliases[0]!)
})
