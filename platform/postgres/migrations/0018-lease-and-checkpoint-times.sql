-- For operators: when its holder took a lease, and when a projection last moved forward on a partition. null until then.
alter table platform.leases add column taken_at timestamptz;
alter table read_models.checkpoints add column moved_at timestamptz;
