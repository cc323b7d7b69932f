import { z } from 'zod'
import { CONTROL_KINDS } from '../../model/form.ts'
import { JsonText } from '../../model/json-text.ts'
import { component, contractsOf, limitsOf, visitorContractsOf } from '../../model/operation.ts'
import { nextOffset, offset } from '../../model/paging.ts'
import { parseJson } from '../../model/parse-json.ts'
import { timePast } from '../../model/times.ts'

const ownerContract = contractsOf('Responses', 'owner')

export const MAX_SAMPLES = 50
/** The limit for the samples of all fields together, in characters. */
export const MAX_SAMPLES_LENGTH = 4 * 1024 * 1024
/** How many distinct values of a field are counted: the first ones. */
export const MAX_COUNTS = 1000
/** The limit for the fields of responses and lists together. Further ones are in `data` only. */
export const MAX_FIELDS = 5000

const MAX_LENGTH = 8000
const MAX_WHERE = 20

const value = z.union([z.string(), z.number(), z.boolean()]).transform(String)
const values = z.union([value.transform((text) => [text]), z.array(value).max(MAX_WHERE)])

/** The values that fields must have: a JSON object in the query. Parsed to texts, by field. */
export const where = z
  .string()
  .max(MAX_LENGTH)
  .transform((text, context) => {
    const filter = parse(text)
    if (filter !== null) return filter
    const message = `must be a JSON object of up to ${MAX_WHERE} fields, such as {"colour":"red"}`
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  })

function parse(text: string): ReadonlyMap<string, readonly string[]> | null {
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  // A field may have any name, `__proto__` too: a schema for objects would drop that one.
  const fields = Object.entries(value).map(([key, entry]) => [key, values.safeParse(entry).data])
  if (fields.length > MAX_WHERE || fields.some(([, texts]) => texts === undefined)) return null
  return new Map(fields as [string, string[]][])
}

const FIELD_TYPES = ['boolean', 'number', 'choice', 'multi', 'text', 'rows'] as const
const DEFAULT_LIMIT = 200
const MAX_SEARCH = 200
const MAX_LIMIT = 1000

/** An object with its keys as sent: in order, and with any names. */
export const sentObject = z
  .custom<JsonText>((value) => value instanceof JsonText)
  .meta({ type: 'object', additionalProperties: true })
const sentValue = z
  .custom<JsonText>((value) => value instanceof JsonText)
  .meta({ description: 'Any JSON value.' })

const field = component('ResponseField', {
  key: z.string().describe('The name of the field; dotted in nested objects.'),
  label: z.string().nullable().describe('The `data-label` of its control.'),
  type: z.enum(FIELD_TYPES),
})
export type Field = z.output<typeof field>

const summary = component('ResponseSummary', {
  ...field.shape,
  answered: z.int().describe('Responses (or rows) that have a value.'),
  yes: z.int().optional(),
  no: z.int().optional(),
  mean: z.number().nullable().optional(),
  min: sentValue.optional(),
  max: sentValue.optional(),
  counts: z
    .array(z.object({ value: sentValue, count: z.int() }))
    .max(MAX_COUNTS)
    .optional()
    .describe(`Most common first; counts the first ${MAX_COUNTS} distinct values.`),
  samples: z
    .array(z.object({ value: z.string(), respondent: z.string() }))
    .max(MAX_SAMPLES)
    .optional()
    .describe('The newest; fewer, or shortened, if they are long.'),
  items: z.int().optional().describe('The number of items in all lists.'),
})
export type Summary = z.output<typeof summary>

export const response = component('Response', {
  id: z.string(),
  respondent: z
    .string()
    .describe(
      'A confirmed address on `email_gate` and `people` pages, else an alias of the device. It ' +
        'says who opened the page, not that their hand typed the values.',
    ),
  name: z.string().nullable().describe('The name that the respondent gave: not verified.'),
  submitted_at: z.string().describe('When it was last submitted.'),
  created_at: z.string(),
  page_version: z
    .string()
    .nullable()
    .describe('When the version that the respondent saw was published.'),
  path: z.string().describe('The deck’s file it was sent from; empty on other pages.'),
  submit_count: z.int().describe('How often it was submitted.'),
  values: sentObject.describe('The data, flattened to the keys of `fields`.'),
  data: sentObject.describe('The data exactly as sent.'),
})
export type ResponseRecord = z.output<typeof response>

/** A response where it stands among other things. */
export const shortResponse = z
  .object({
    ...response.omit({ values: true, data: true, page_version: true }).shape,
    fields: z
      .array(z.object({ key: z.string(), text: z.string() }))
      .nullable()
      .describe('The first fields with a value, shortened; null where the response is large.'),
  })
  .meta({ id: 'ShortResponse', description: 'A response with its first fields.' })
export type ShortResponse = z.output<typeof shortResponse>

const row = component('ResponseRow', {
  response_id: z.string(),
  respondent: z.string(),
  name: z.string().nullable(),
  submitted_at: z.string(),
  item: z.int().describe('The position in the list, from 1.'),
  values: sentObject,
})
export type Row = z.output<typeof row>

const status = z.object({
  collecting: z
    .boolean()
    .describe('Whether what is published has a form, or calls `Service.submit`.'),
  closed_at: z.string().nullable().describe('The page’s `responses_closed_at`.'),
  closed: z.boolean().describe('Whether that time has passed.'),
  count: z.int().describe('The number of all responses, regardless of the query.'),
  bytes: z.int().describe('The size of all responses.'),
  max_count: z.int().describe('The most the plan allows a page.'),
  max_bytes: z.int().describe('The most the plan allows a page.'),
})

const responseReport = z
  .object({
    status,
    total: z.int().describe('How many responses matched.'),
    fields: z.array(field).describe('Every field found, in the order sent.'),
    summaries: z.array(summary).describe('One for each field.'),
    summary_text: z.array(z.string()).describe('The summaries as text, one line for each field.'),
    explodable: z.array(z.string()).describe('Fields that can be split into rows.'),
    explode: z.string().nullable().describe('The field that was split; null if none was.'),
    row_fields: z.array(field).describe('The columns of `rows`.'),
    row_summaries: z.array(summary).describe('One for each field of the items, over all rows.'),
    row_summary_text: z
      .array(z.string())
      .describe('The summaries as text, one line for each field.'),
    row_total: z.int().describe('How many rows there are: one for each item with a field.'),
    responses: z.array(response).describe('One page of them.'),
    rows: z.array(row).describe('One page of them; empty if nothing was split.'),
    next_offset: nextOffset,
  })
  .meta({ id: 'ResponseReport', description: 'The responses to a page, and their summary.' })
export type ResponseReport = z.output<typeof responseReport>

/** The result of the tool: each value once, and a line instead of a summary with samples. */
const briefReport = z.object({
  data: z
    .object({
      ...responseReport.pick({ total: true, summary_text: true, explodable: true }).shape,
      ...responseReport.pick({ row_total: true, row_summary_text: true, explode: true }).shape,
      status: status.pick({ collecting: true, closed: true, count: true, max_count: true }),
      responses: z.array(
        response
          .pick({ id: true, respondent: true, name: true, submitted_at: true, path: true })
          .extend({ data: z.unknown() }),
      ),
      rows: z.array(row.extend({ values: z.unknown() })),
      next_offset: nextOffset,
    })
    .transform(({ explode, row_total, row_summary_text, responses, rows, ...report }) =>
      explode === null
        ? { ...report, responses }
        : { ...report, explode, row_total, row_summary_text, rows },
    ),
})

export const responseQuery = z.strictObject({
  format: z.enum(['json', 'csv']).default('json').describe('`csv` answers a file of all.'),
  explode: z
    .string()
    .max(1000)
    .optional()
    .describe('The list of objects to split into rows: by default the first; `none`: no split.'),
  since: timePast.optional().describe('A time: only responses submitted after it.'),
  search: z
    .string()
    .max(MAX_SEARCH)
    .optional()
    .describe('Only responses with this in an answer, a name or an address; case does not count.'),
  where: where
    .optional()
    .describe(
      'Only responses with these values: a JSON object such as `{"colour":"red"}`. A list asks ' +
        'for all of its values.',
    ),
  limit: z
    .int()
    .min(1)
    .max(MAX_LIMIT)
    .default(DEFAULT_LIMIT)
    .describe('At most; fewer if they are long, see `next_offset`.'),
  offset,
})
export type ResponseQuery = z.output<typeof responseQuery>

export const listResponses = ownerContract({
  summary: 'Read a page’s responses, newest first.',
  description:
    'Summaries and totals cover every response matched; `responses` and `rows` are one page of ' +
    'them. With `format=csv` a file of all of them is answered. For what is new, pass the newest ' +
    '`submitted_at` you have as `since`. `search` and `where` choose rows where a list is split.',
  http: {
    method: 'GET',
    path: '/pages/{id}/responses',
    status: 200,
    jsonText: true,
    also: 'text/csv',
  },
  tools: {
    get_responses: {
      description:
        'Reads what viewers sent through the page’s forms: a line of summary for each field, ' +
        'and the newest responses.',
      omit: ['search', 'where'],
      unlisted: ['format'],
      defaults: { limit: 20, explode: 'none' },
      output: briefReport,
    },
  },
  input: responseQuery,
  data: responseReport,
  hasStrangersWords: true,
  errors: ['unknown_explode_key'],
})

export const deleteResponse = ownerContract({
  summary: 'Delete one response for good; its viewer can then respond again.',
  description: 'To stop collecting and keep what came in, set the page’s `responses_closed_at`.',
  http: { method: 'DELETE', path: '/pages/{id}/responses/{response_id}', status: 204 },
  tools: {
    delete_response: {
      description:
        'Deletes one response for good. Only where the user asked for it: update_page with ' +
        'responses_closed_at stops collecting.',
    },
  },
  input: z.strictObject({ response_id: z.string() }),
  errors: ['response_not_found'],
})

/** A response of 256 KB whose characters are all escaped, with the other members of the request. */
const MAX_SUBMISSION_BYTES = 1024 * 1024
const visitorContract = visitorContractsOf('visitor', {
  maxBytes: MAX_SUBMISSION_BYTES,
  tooLarge: 'This is more than one response can hold: 256 KB.',
})

const sentControl = z.strictObject({
  name: z.string().max(1000),
  label: z.string().max(1000).nullable(),
  kind: z.enum(CONTROL_KINDS),
})

export const submitResponse = visitorContract({
  summary: 'Send a viewer’s response to a page, or replace the earlier one.',
  http: { method: 'POST', path: '/~/responses', status: 200 },
  limits: limitsOf('response', { address: 120, viewer: 20 }),
  input: z.strictObject({
    id: z.string().regex(/^[\w-]{8,64}$/, { error: 'must be 8 to 64 letters, digits, - or _' }),
    data: z.string(),
    name: z.string().max(1000).nullish(),
    controls: z.array(sentControl).max(1000).default([]),
  }),
  data: z.object({ id: z.string(), submitted_at: z.string(), submit_count: z.int() }),
  errors: ['not_collecting', 'closed', 'full', 'too_large', 'invalid_data', 'gone'],
})
export type Receipt = z.output<typeof submitResponse.output>['data']
