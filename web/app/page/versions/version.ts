import type { Output } from '../../../../src/client/index.ts'

export type Version = Output<'listVersions'>['data'][number]
