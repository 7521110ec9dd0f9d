import { stopSharedPostgres } from '../../../dist/test/support/shared-postgres.js';

export default stopSharedPostgres;
