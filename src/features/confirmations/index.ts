export {
  type Confirmation,
  type Confirmations,
  createConfirmations,
  type Started,
  type StartOptions,
  TOKEN,
} from './confirmations.ts'
