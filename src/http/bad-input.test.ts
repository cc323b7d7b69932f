import { describe, expect, it } from 'bun:test'
import { recordTime } from '../features/analytics/contract.ts'
import { confirmByCode, mailConfirmation } from '../features/viewer-emails/contract.ts'
import type { Refusal } from '../model/errors.ts'
import { parseInput } from '../model/input.ts'
import type { Contract, VisitorContract } from '../model/operation.ts'
import { BASE_URL, type TestApp, testApp } from '../testing/app.ts'
import { type BadInput, badInputs, exampleInput, longInputs } from '../testing/bad-input.ts'
import { agentWith } from '../testing/mcp.ts'
import { sessionOf } from '../testing/signed-in.ts'

interface Refused {
  code: string
  message: string
  param?: string
}

/** Words of the library of schemas, and of no sentence of ours. */
const NOT_OURS =
  /invalid (input|option|string|key|element)|expected|received|too (big|small|long|short)|unrecognized|undefined|\bNaN\b|zod|form that is not taken|other type/i

/** Everything in a query or path is text. */
function fromText(contract: Contract, { what, param, input }: BadInput): boolean {
  const isBody = contract.http.method === 'POST' || contract.http.method === 'PATCH'
  const isInPath = new RegExp(`{\\+?${param}}`).test(contract.http.path)
  const isSent = !isInPath || (what !== 'missing' && String(input[param]) !== '')
  return (
    isSent &&
    (isBody && !isInPath ? true : what !== 'wrong type' || typeof input[param] !== 'number')
  )
}

/** The path with its members, and the other members. */
function requestOf({ http }: Contract, pageId: string, input: Record<string, unknown>) {
  const { ...rest } = input
  const path = http.path.replace(/\{\+?(\w+)\}/g, (_, name: string) => {
    if (name === 'id') return pageId
    const value = rest[name]
    delete rest[name]
    return encodeURIComponent(String(value))
  })
  const isBody = http.method === 'POST' || http.method === 'PATCH'
  const query = isBody ? '' : `?${new URLSearchParams(rest as Record<string, string>)}`
  return { path: path + query, body: isBody ? rest : undefined }
}

function expectOurs(error: Refused, { what, param }: BadInput, of: string): void {
  const about = `${of}: ${what} ${param}: ${JSON.stringify(error)}`
  expect(error.param, about).toBe(param)
  expect(error.message, about).not.toMatch(NOT_OURS)
  expect(error.message, about).toMatch(/[.!?]$/)
  expect(error.message, about).toContain(param)
  if (what === 'missing') expect(error.message, about).toContain('is missing')
  if (what === 'unknown') expect(error.message, about).toContain('There is no parameter')
}

async function setUp() {
  const app = await testApp('sqlite')
  const owner = await app.owner()
  await app.accounts.setOperator(owner.email, true)
  const { id } = await owner.publish('<p>x', { allow_comments: true })
  return { app, owner, pageId: id, session: await sessionOf(app, owner.email) }
}

describe('a member of the wrong type, out of bounds, missing or unknown is named in our words', () => {
  it('by every operation of the API', async () => {
    const { app, owner, pageId, session } = await setUp()
    await using _ = app
    const seen = new Set<string>()
    for (const { contract } of app.operations) {
      if (contract.http.rawBody) continue
      expect(contract.input.safeParse(exampleInput(contract.input)).success, contract.name).toBe(
        true,
      )
      for (const bad of badInputs(contract.input)) {
        if (!fromText(contract, bad)) continue
        const { path, body } = requestOf(contract, pageId, bad.input)
        const isOwners = contract.audience === 'account' || contract.audience === 'owner'
        const by = isOwners ? owner : session
        const answer = await by.call<{ error: Refused }>(contract.http.method, path, body)
        expect(
          answer.status,
          `${contract.name} ${path} ${JSON.stringify(body)?.slice(0, 300)}`,
        ).toBe(400)
        expectOurs(answer.body.error, bad, contract.name)
        seen.add(contract.name)
      }
    }
    expect(seen.size).toBeGreaterThan(50)
  })

  it('where a text is too long, by every schema', async () => {
    const { app } = await setUp()
    await using _ = app
    const operations = [...app.operations, ...app.visitorOperations]
    let refusals = 0
    for (const { http, input: schema } of operations.map(({ contract }) => contract)) {
      for (const { param, input } of longInputs(schema)) {
        try {
          parseInput(schema, input)
        } catch (err) {
          const { code, message, details } = err as Refusal
          const error = { code, message, param: String(details?.param) }
          // A file of a deck is refused as a whole where it has no content.
          const named = param.startsWith(`${error.param}.`) ? error.param : param
          expectOurs(error, { what: 'out of bounds', param: named, input }, http.path)
          refusals += 1
        }
      }
    }
    expect(refusals).toBeGreaterThan(30)
  })

  it('by every tool', async () => {
    const { app, owner, pageId } = await setUp()
    await using _ = app
    const agent = agentWith(app, owner.key)
    const { offerTools } = await import('../model/mcp/tools.ts')
    for (const [name, { contract }] of offerTools(app.operations.map((each) => each.contract))) {
      for (const bad of badInputs(contract.input)) {
        const page = contract.audience === 'owner' ? { page_id: pageId } : {}
        const result = await agent.call(name, { ...page, ...bad.input })
        const [{ text } = { text: '' }] = result.content
        const { error } = (result.json ?? {}) as { error: Refused }
        expect([name, bad.param, result.isError, text]).toEqual([name, bad.param, true, text])
        expectOurs(error, bad, name)
        expect(text).toContain(error.message)
      }
    }
  })

  it('by every operation of visitors', async () => {
    const { app } = await setUp()
    await using _ = app
    const operations = app.visitorOperations
    const contracts = [...operations.map(({ contract }) => contract), ...OF_ROUTES]
    for (const contract of contracts) {
      const base = { ...exampleInput(contract.input), token: 'x', stamp: 'x' }
      for (const bad of [...badInputs(contract.input), ...OF_TOKENS]) {
        const answer = await send(app, contract, { ...base, ...missing(bad), ...bad.input })
        expect([contract.http.path, bad.param, answer.status]).toEqual([
          contract.http.path,
          bad.param,
          400,
        ])
        expect(answer.error.code).toBe('invalid_data')
        expectOurs(answer.error, bad, contract.http.path)
      }
    }
  })
})

/** The member that is left out, as what JSON leaves out. */
function missing({ what, param }: BadInput): object {
  return what === 'missing' && !param.includes('.') ? { [param]: undefined } : {}
}

/** Those whose routes are no part of the list. */
const OF_ROUTES = [mailConfirmation, confirmByCode, recordTime] as unknown as VisitorContract[]
const OF_TOKENS: BadInput[] = [
  { what: 'wrong type', param: 'token', input: { token: 7 } },
  { what: 'wrong type', param: 'trap', input: { trap: 7 } },
]

async function send(app: TestApp, { http }: VisitorContract, body: object) {
  const init = {
    method: 'POST',
    headers: { origin: BASE_URL, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
  const answer = await app.fetch(new Request(BASE_URL + http.path, init))
  const { error } = (await answer.json()) as { error: Refused }
  return { status: answer.status, error }
}

describe('a text with the character NUL', () => {
  it('is no fault of the server on PostgreSQL, which stores none', async () => {
    await using app = await testApp('postgres')
    const owner = await app.owner()
    const { id: pageId } = await owner.publish('<p>x', { allow_comments: true })
    const faults: string[] = []
    async function send(contract: Contract, member: string): Promise<void> {
      const input = { ...(exampleInput(contract.input) as object), [member]: 'a\0b' }
      const { path, body } = requestOf(contract, pageId, input)
      const { status } = await owner.call(contract.http.method, path, body)
      if (status >= 500) faults.push(`${contract.name} ${member}`)
    }
    for (const { contract } of app.operations) {
      const { audience, http, input } = contract
      if (http.rawBody || (audience !== 'account' && audience !== 'owner')) continue
      // The test's fetch knows other addresses only.
      const members = Object.keys(input.shape).filter((name) => !name.endsWith('_url'))
      await Promise.all(members.map((member) => send(contract, member)))
    }
    expect(faults).toEqual([])
  })
})
