ALTER TABLE `form_revisions` ADD `variables` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `form_revisions` ADD `ends` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `forms` ADD `variables` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `forms` ADD `ends` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `responses` ADD `variables` text DEFAULT '{}' NOT NULL;