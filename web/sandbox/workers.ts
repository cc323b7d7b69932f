import { mendWorkers } from './mend-workers.ts'
import { OWN_FILES } from './own-files.ts'

if (OWN_FILES !== null) mendWorkers(window, OWN_FILES, null)
