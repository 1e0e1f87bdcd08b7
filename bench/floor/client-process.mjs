import { driveClient } from '../measure/drive-client.mjs'
import { bareClient } from './client.mjs'

await driveClient((url) => bareClient(Number(url.port)))
