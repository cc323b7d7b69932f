import { isolationSuite } from './isolation.ts'
import { launchChromium } from './isolation-visitor.ts'

isolationSuite(launchChromium)
