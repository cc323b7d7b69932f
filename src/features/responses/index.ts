export type { Forms } from './form-cache.ts'
export { importResponses, responseRow, responsesOf } from './import-responses.ts'
export {
  createResponses,
  type Responses,
  responseOperations,
  responseVisitorOperations,
} from './responses.ts'
export type { Submission } from './rules.ts'
export type { Receipt } from './save-response.ts'
export { countByViewer as countResponses } from './store.ts'
