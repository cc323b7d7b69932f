export { addedMail, createPasskeys, type Passkeys, refused } from './passkeys.ts'
