import { ERRORS, type ErrorCode, FORM_CODES, meaningOf } from '../../model/error-codes/index.ts'
import type { Contract, Operation } from '../../model/operation.ts'
import { byStatus, codesOf, EVERYWHERE, shapeOf, statusOf } from './codes.ts'

/** A code as the reference tells it. Where: answered by the API, or to a page's own form. */
export interface DescribedCode {
  code: string
  status: number
  meaning: string
  cure: string
  where: 'everywhere' | 'operations' | 'forms'
}

/** Every code that the API or a page's form answers, in the order of the catalogue. */
export function describeCodes(operations: readonly Operation[]): DescribedCode[] {
  const own = new Set(operations.flatMap(({ contract }) => codesOf(contract)))
  const tell = (where: DescribedCode['where'], codes: readonly ErrorCode[]) =>
    codes.map((code) => ({ code, status: statusOf(code), ...worded(code), where }))
  const all = Object.keys(ERRORS) as ErrorCode[]
  return [
    ...tell('everywhere', EVERYWHERE),
    ...tell(
      'operations',
      all.filter((code) => own.has(code) && !EVERYWHERE.includes(code)),
    ),
    ...tell('forms', FORM_CODES),
  ]
}

function worded(code: ErrorCode): { meaning: string; cure: string } {
  const { meaning, cure } = meaningOf(code)
  return { meaning, cure }
}

const JSON_ERROR = { schema: { $ref: '#/components/schemas/Error' } }

/** An operation's refusals under their statuses, an example for each code. */
export function refusalsOf(contract: Contract): Record<string, unknown> {
  const { hasJsonBody } = shapeOf(contract)
  const own = byStatus(codesOf(contract)).map(([status, codes]) => [
    status,
    {
      description: `Refused: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
      content: {
        'application/json': { ...JSON_ERROR, examples: referredTo(codes) },
        ...(status === 413 && hasJsonBody && { 'text/plain': PLAIN_413 }),
      },
    },
  ])
  return {
    401: { $ref: '#/components/responses/Unauthenticated' },
    ...(hasJsonBody && { 413: { $ref: '#/components/responses/TooLarge' } }),
    429: { $ref: '#/components/responses/RateLimited' },
    ...Object.fromEntries(own),
    default: { $ref: '#/components/responses/Refused' },
  }
}

function referredTo(codes: readonly ErrorCode[]) {
  return Object.fromEntries(
    codes.map((code) => [code, { $ref: `#/components/examples/${code}` }] as const),
  )
}

export function examplesOf(told: readonly DescribedCode[]): Record<string, unknown> {
  const ofApi = told.filter(({ where }) => where !== 'forms')
  return Object.fromEntries(
    ofApi.map(({ code, meaning, cure }) => {
      const message = `${meaning} ${cure}`.replaceAll('`', '')
      return [code, { summary: meaning, value: { error: { code, message } } }]
    }),
  )
}

const PLAIN_413 = { schema: { type: 'string', const: 'Request Entity Too Large' } }

export const ERROR_SCHEMA = {
  type: 'object',
  description: 'Why a request was refused.',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { type: 'string', description: 'Stable, for programs.' },
        message: { type: 'string', description: 'One sentence that says what to do.' },
        param: { type: 'string', description: 'The parameter to change, where it is one.' },
        limit: { type: 'integer', description: 'The most that is allowed, where that is it.' },
        edit_index: { type: 'integer', description: 'Which edit, counted from 0.' },
        retry_after_s: { type: 'integer', description: 'How many seconds to wait.' },
        request_id: { type: 'string', description: 'What the server’s log knows a fault by.' },
      },
      additionalProperties: true,
    },
  },
}

const RETRY_AFTER = {
  'Retry-After': { description: 'How many seconds to wait.', schema: { type: 'integer' } },
}

const OTHERS = EVERYWHERE.filter((code) => ![401, 429].includes(statusOf(code)))

export const REFUSALS = {
  Unauthenticated: {
    description: 'The key is missing, mistyped or revoked: `missing_key`, `bad_key`.',
    content: {
      'application/json': { ...JSON_ERROR, examples: referredTo(['missing_key', 'bad_key']) },
    },
  },
  RateLimited: {
    description: 'Too many requests: `rate_limited`.',
    headers: RETRY_AFTER,
    content: { 'application/json': { ...JSON_ERROR, examples: referredTo(['rate_limited']) } },
  },
  TooLarge: {
    description: 'The body is over 4 MB. This one answer is plain text.',
    content: { 'text/plain': PLAIN_413 },
  },
  Refused: {
    description: 'What any request may meet, or a fault of the server (500, with a request id).',
    content: { 'application/json': { ...JSON_ERROR, examples: referredTo(OTHERS) } },
  },
}
