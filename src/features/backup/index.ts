export { type BackupDeps, type BackupResult, writeBackup } from './create.ts'
export { type DoctorDeps, examine, type Finding } from './doctor.ts'
export { KEY_CHECK } from './format.ts'
export { type Backup, BadBackup, openBackup } from './restore.ts'
