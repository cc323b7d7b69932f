export { type Accounts, type CreatedKey, createAccounts, type SetupResult } from './accounts.ts'
