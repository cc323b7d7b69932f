import { describe, expect, it } from 'bun:test'
import type { Page } from '../../../model/page/index.ts'
import { createSecrets } from '../../../platform/secrets.ts'
import { createViewerTokens } from './viewer-tokens.ts'

const HOUR_MS = 3_600_000
const PAGE = { id: 'pg_1', access_epoch: 3 } as Page
const GIVEN = { device: 'device', claims: null, nowMs: 0 }
const OPENED = { page_id: 'pg_1', device: 'device', grant: null, access_epoch: 3, given_s: 0 }
const SOURCE = { pageVersion: 'v', path: 'a.html', manifestId: 'm' }

const tokens = createViewerTokens(createSecrets(new Uint8Array(32)))

describe('a panel token that was read before', () => {
  const token = tokens.panelToken(PAGE, GIVEN)
  const read = (text: string, nowMs = 0) => tokens.readPanelToken(text, nowMs)

  it('is read again, and expires all the same', () => {
    expect([read(token), read(token)]).toEqual([OPENED, OPENED])
    expect(read(token, 12 * HOUR_MS - 1000)).toEqual(OPENED)
    expect(read(token, 12 * HOUR_MS)).toBeNull()
  })

  it('opens no other text, no other page and nothing of a page’s own bytes', () => {
    expect(read(token)).toEqual(OPENED)
    expect(read(`${token}A`)).toBeNull()
    expect(read(token.replace('pg_1', 'pg_2'))).toBeNull()
    expect(tokens.readViewerToken(token, 0)).toBeNull()
    const ofPage = tokens.viewerToken(PAGE, GIVEN)
    expect(tokens.readViewerToken(ofPage, 0)).toEqual(OPENED)
    expect(read(ofPage)).toBeNull()
  })
})

it('a source token that was read before is of its own page alone', () => {
  const token = tokens.sourceToken(PAGE, SOURCE)
  expect(tokens.readSourceToken(token, 'pg_1')).toEqual(SOURCE)
  expect(tokens.readSourceToken(token, 'pg_1')).toEqual(SOURCE)
  expect(tokens.readSourceToken(token, 'pg_2')).toBeNull()
  expect(tokens.readSourceToken(`${token}A`, 'pg_1')).toBeNull()
})
