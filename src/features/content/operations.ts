import { implement, type Operation } from '../../model/operation.ts'
import { createUpload } from './contract.ts'
import type { Uploads } from './uploads.ts'

export function contentOperations(uploads: Uploads): Operation[] {
  return [
    implement(createUpload, async ({ account }, _input, body) => ({
      data: await uploads.create(account, body),
    })),
  ]
}
