import { SaveBundle } from '../ui/save-bundle';

export const ExportButton = ({ seed }: { readonly seed: string }) => (
  <SaveBundle name={seed} lines={(mace) => mace.job(seed).bundle()} />
);
