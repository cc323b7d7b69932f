export { type Agreements, createAgreements, type PreparedAgreement } from './agreements.ts'
