export { createExport, type ExportDeps } from './export.ts'
export { createImport, type ImportDeps, type PageToImport } from './import.ts'
export type { Transfer } from './operations.ts'
export { createTransfer } from './transfer.ts'
