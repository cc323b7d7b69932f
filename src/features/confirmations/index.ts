export type { Confirmation } from '../../model/confirmation.ts'
export {
  type Confirmations,
  createConfirmations,
  type Started,
  type StartOptions,
  TOKEN,
} from './confirmations.ts'
