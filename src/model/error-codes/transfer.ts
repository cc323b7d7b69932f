import type { Errors } from './meaning.ts'

/** Errors of an import as a whole. What is wrong with one page is in the answer. */
export const TRANSFER_ERRORS = {
  not_an_archive: {
    kind: 'invalid',
    meaning: 'The body is no complete export of Handbill, so nothing was imported.',
    cure: 'Send the zip as it was exported; export again where the download broke off.',
  },
  archive_too_large: {
    kind: 'too_large',
    meaning:
      'The archive needs more space than the server has free, or has more than 300,000 files.',
    cure: 'Have the operator of the server free space on its disk, and send it again.',
  },
  import_running: {
    kind: 'conflict',
    meaning: 'The account is importing an archive already.',
    cure: 'Wait until that import has ended, and send it again: what is there is skipped.',
  },
  too_many_imports: {
    kind: 'rate_limited',
    meaning: 'The server is importing as many archives as it does at once.',
    cure: 'Wait for the number of seconds in `Retry-After`, and then send the archive again.',
  },
} as const satisfies Errors
