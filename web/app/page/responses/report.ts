import type { Output } from '../../../../src/client/index.ts'

export type Report = Output<'listResponses'>['data']
export type ResponseRecord = Report['responses'][number]
export type Field = Report['fields'][number]
export type Summary = Report['summaries'][number]
export type Values = ResponseRecord['values']
