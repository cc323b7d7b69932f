import type { Errors } from './meaning.ts'

/** Errors of exports, and of an import as a whole: what is wrong with one page is in its answer. */
export const TRANSFER_ERRORS = {
  not_an_archive: {
    kind: 'invalid',
    meaning: 'The body is no complete export of Handbill, so nothing was imported.',
    cure: 'Send the zip as it was exported; export again where the download broke off.',
  },
  archive_too_large: {
    kind: 'too_large',
    meaning: 'The archive has more than 300,000 files.',
    cure: 'Delete pages where it was made, and export again.',
  },
  import_running: {
    kind: 'conflict',
    meaning: 'The account is importing two archives already.',
    cure: 'Wait until one of these imports has ended, and send it again: what is there is skipped.',
  },
  export_running: {
    kind: 'conflict',
    meaning: 'The account is exporting twice already.',
    cure: 'Wait until one of these downloads has ended.',
  },
  too_many_exports: {
    kind: 'rate_limited',
    meaning: 'The server is making as many exports as it does at once.',
    cure: 'Wait for the number of seconds in `Retry-After`, and then export again.',
  },
  too_many_imports: {
    kind: 'rate_limited',
    meaning: 'The server is importing as many archives as it does at once.',
    cure: 'Wait for the number of seconds in `Retry-After`, and then send the archive again.',
  },
} as const satisfies Errors
