import { implement, type Operation } from '../../model/operation.ts'
import type { Content } from './content.ts'
import { createUpload } from './contract.ts'

export function contentOperations(content: Content): Operation[] {
  return [
    implement(createUpload, async ({ account }, _input, body) => ({
      data: await content.upload(account, body),
    })),
  ]
}
