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
    meaning: 'The archive has more bytes or more files than an import takes.',
    cure: 'Have the operator of the server copy the data, or publish large pages one by one.',
  },
} as const satisfies Errors
