export type { Confirmation } from '../../model/confirmation.ts'
export {
  type Confirmations,
  createConfirmations,
  type StartedConfirmation,
  type StartOptions,
} from './confirmations.ts'
