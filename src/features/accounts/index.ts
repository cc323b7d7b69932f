export { type Accounts, createAccounts } from './accounts.ts'
export { type AccountDeletion, createAccountDeletion } from './deletion.ts'
export { type AccountUsage, createUsage } from './usage.ts'
