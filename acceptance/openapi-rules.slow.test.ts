/** Checks /openapi.json with all recommended rules of Spectral and Redocly. */
import { expect, test } from 'bun:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectral, { type RulesetDefinition } from '@stoplight/spectral-core'
import rulesets from '@stoplight/spectral-rulesets'
import { send } from './client.ts'

type Json = Record<string, unknown>

async function document(): Promise<Json> {
  return (await send('/openapi.json')).json as Json
}

async function spectralProblems(judged: Json): Promise<string[]> {
  const judge = new spectral.Spectral()
  judge.setRuleset({ extends: [rulesets.oas as RulesetDefinition] })
  const problems = await judge.run(judged)
  return problems.map(({ code, path, message }) => `${code} ${path.join('/')}: ${message}`)
}

async function redoclyProblems(judged: Json): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source: JSON.stringify(judged), config })
  return problems.map(
    ({ ruleId, location, message }) => `${ruleId} ${location[0]?.pointer}: ${message}`,
  )
}

test('Spectral reports nothing with the rules of spectral:oas', async () => {
  expect(await spectralProblems(await document())).toEqual([])
}, 240_000)

test('Redocly reports nothing with its recommended rules', async () => {
  expect(await redoclyProblems(await document())).toEqual([])
}, 240_000)

test('both report errors in a document that is worse', async () => {
  const worse = await document()
  const { get } = (worse.paths as Record<string, Record<string, Json>>)['/pages']!
  delete get!.operationId
  get!.responses = { 200: { description: 'Done.', content: { bad: 1 } } }
  // Of one operation alone: reading them all takes seconds.
  worse.paths = { '/pages': { get } }
  delete (worse.info as Json).license
  expect((await spectralProblems(worse)).join('\n')).toContain('operation-operationId')
  const redocly = (await redoclyProblems(worse)).join('\n')
  expect(redocly).toContain('operation-4xx-response')
  expect(redocly).toContain('info-license')
}, 240_000)
