import { ERRORS, type ErrorCode, FORM_CODES, meaningOf } from '../../model/error-codes/index.ts'
import type { Contract } from '../../model/operation.ts'
import { byStatus, COMMON_CODES, errorCodesOf, requestShape, statusOf } from './error-codes.ts'

/** An error code as the reference describes it. */
export interface DescribedCode {
  code: string
  status: number
  meaning: string
  cure: string
  /** Any request can get the error, or some operations, or only a page's own form. */
  where: 'everywhere' | 'operations' | 'forms'
}

/** All codes that the API or a page's form can answer, in the order of the catalogue. */
export function describeCodes(contracts: readonly Contract[]): DescribedCode[] {
  const own = new Set(contracts.flatMap(errorCodesOf))
  const describe = (where: DescribedCode['where'], codes: readonly ErrorCode[]) =>
    codes.map((code) => {
      const { meaning, cure } = meaningOf(code)
      return { code, status: statusOf(code), meaning, cure, where }
    })
  const all = Object.keys(ERRORS) as ErrorCode[]
  return [
    ...describe('everywhere', COMMON_CODES),
    ...describe(
      'operations',
      all.filter((code) => own.has(code) && !COMMON_CODES.includes(code)),
    ),
    ...describe('forms', FORM_CODES),
  ]
}

const JSON_ERROR = { schema: { $ref: '#/components/schemas/Error' } }

/** The refusals of an operation by status, with an example for each code. */
export function refusalsOf(contract: Contract): Record<string, unknown> {
  const { hasJsonBody } = requestShape(contract)
  const own = byStatus(errorCodesOf(contract)).map(([status, codes]) => [
    status,
    {
      description: `Refused: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
      content: {
        'application/json': { ...JSON_ERROR, examples: exampleRefs(codes) },
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

function exampleRefs(codes: readonly ErrorCode[]) {
  return Object.fromEntries(
    codes.map((code) => [code, { $ref: `#/components/examples/${code}` }] as const),
  )
}

export function examplesOf(described: readonly DescribedCode[]): Record<string, unknown> {
  const ofApi = described.filter(({ where }) => where !== 'forms')
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
  description: 'The reason for a refusal.',
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
        edit_index: { type: 'integer', description: 'The index of the edit, from 0.' },
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

const OTHERS = COMMON_CODES.filter((code) => ![401, 429].includes(statusOf(code)))

export const REFUSALS = {
  Unauthenticated: {
    description:
      'The key is missing, mistyped, revoked or over: `missing_key`, `bad_key`, `key_expired`.',
    content: {
      'application/json': {
        ...JSON_ERROR,
        examples: exampleRefs(['missing_key', 'bad_key', 'key_expired']),
      },
    },
  },
  RateLimited: {
    description: 'Too many requests: `rate_limited`.',
    headers: RETRY_AFTER,
    content: { 'application/json': { ...JSON_ERROR, examples: exampleRefs(['rate_limited']) } },
  },
  TooLarge: {
    description: 'The body is over 4 MB. This one answer is plain text.',
    content: { 'text/plain': PLAIN_413 },
  },
  Refused: {
    description: 'What any request may meet, or a fault of the server (500, with a request id).',
    content: { 'application/json': { ...JSON_ERROR, examples: exampleRefs(OTHERS) } },
  },
}
