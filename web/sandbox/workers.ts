import { explainDatabases } from './explain-databases.ts'
import { mendWorkers } from './mend-workers.ts'
import { OWN_FILES } from './own-files.ts'

if (OWN_FILES !== null) {
  mendWorkers(window, { files: OWN_FILES, file: null, first: `(${explainDatabases})();` })
}
