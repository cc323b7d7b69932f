import { describe, expect, test } from 'bun:test'
import type { Page } from '../../model/page/index.ts'
import { createSecrets } from '../../platform/secrets.ts'
import { createAdmission, type Grant } from './admission.ts'

const NOW_S = 1_800_000_000
const HOUR_S = 3600
const admission = createAdmission(createSecrets(new Uint8Array(32).fill(1)), false)
const page = { id: 'pg_1', slug: 'a-page', access_epoch: 3 } as Page
const grant: Grant = {
  emails: ['reader@example.com'],
  gave_password: false,
  is_signed_in: true,
  is_owner: false,
  session_id: 'ses_1',
}
const read = (cap: string, of = page, now_s = NOW_S) =>
  admission.readCap(cap.replace('~', ''), of, now_s)

describe('a capability', () => {
  const cap = admission.cap(page, NOW_S, grant)

  test('stands for what the gate let its visitor in by', () => {
    expect(read(cap)).toEqual({ grant, lasts: true })
    expect(read(admission.cap(page, NOW_S))).toEqual({ grant: null, lasts: true })
  })
  test('shows nobody whose it is', () => {
    expect(Buffer.from(cap, 'base64url').toString()).not.toContain('reader')
    expect(cap).not.toContain('reader')
  })
  test('can stand in an address as it is', () => {
    expect(encodeURIComponent(cap)).toBe(cap)
  })
  test('holds for 12 hours, and for the visit of an opening 30 minutes', () => {
    expect(read(cap, page, NOW_S + HOUR_S / 2)?.lasts).toBe(false)
    expect(read(cap, page, NOW_S + 12 * HOUR_S - 1)?.grant).toEqual(grant)
    expect(read(cap, page, NOW_S + 12 * HOUR_S)).toBeNull()
  })
  test('ends with the next change of who may open the page, and opens no other page', () => {
    expect(read(cap, { ...page, access_epoch: 4 })).toBeNull()
    expect(read(cap, { ...page, id: 'pg_2' })).toBeNull()
  })
  test('is no visit, nor a visit a capability', () => {
    const [, visit = ''] = /=([^;]+)/.exec(admission.visitCookie(page, NOW_S)) ?? []
    expect(read(visit)).toBeNull()
    const headers = new Headers({ cookie: `handbill_visit=${cap.slice(1)}` })
    expect(admission.isAdmitted(headers, page, NOW_S)).toBe(false)
  })
  test('altered in any one character, or cut, is none', () => {
    const text = cap.slice(1)
    for (let at = 0; at < text.length; at++) {
      for (const other of ['A', 'b', '0', '.', '_']) {
        if (text[at] === other) continue
        const altered = text.slice(0, at) + other + text.slice(at + 1)
        expect(admission.readCap(altered, page, NOW_S), altered).toBeNull()
      }
      expect(admission.readCap(text.slice(0, at), page, NOW_S)).toBeNull()
    }
  })
  test('of another server’s key is none', () => {
    const other = createAdmission(createSecrets(new Uint8Array(32).fill(2)), false)
    expect(other.readCap(cap.slice(1), page, NOW_S)).toBeNull()
  })
})
