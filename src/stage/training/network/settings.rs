//! `network_settings!`: what the trainings of both networks are told, beside settings of their own.

/// Makes a struct the settings of a network's training: its own come first, then those of every network.
macro_rules! network_settings {
    (
        $(#[$of:meta])*
        pub struct $name:ident { $($own:tt)* }
    ) => {
        mineflow_stage::settings! {
            $(#[$of])*
            pub struct $name {
                $($own)*
                /// Turn the rows by the eight symmetries of the board, drawn for each: on or off
                #[arg(long, value_name = "SWITCH", default_value_t = Self::default().symmetries)]
                #[serde(with = "mineflow_stage::texts::text")]
                pub symmetries: mineflow_stage::values::Switch = mineflow_stage::values::Switch(true),
                /// With --data: learn from this many rows at a time, of shards in an order drawn for every epoch [default: all of them,
                /// or the largest power of two that fits into --memory]
                #[arg(long, value_name = "ROWS", requires = "data")]
                pub window: Option<std::num::NonZeroU64>,
                /// Rows a step [default: 1024 for a classifier, 32 for a Q-network]
                #[arg(long, value_name = "N")]
                pub batch: Option<std::num::NonZeroU32>,
                /// Factor of the optimiser's steps
                #[arg(long, value_name = "R", default_value_t = Self::default().learning_rate)]
                pub learning_rate: f64 = 0.001,
                /// Share of the rounds, the last ones, over which the learning rate falls to 0 [default: 1; with --iterative 0.5]
                #[arg(long, value_name = "RATIO")]
                pub decay: Option<f64>,
                /// Length to which the gradient of each tensor is cut back where it is longer [default: it is left as it is]
                #[arg(long, value_name = "NORM")]
                pub clip: Option<f32>,
                /// Rounds at the end, the mean of whose weights may be published too; 0 for none [default: 0; with --iterative a
                /// fifth of the episodes]
                #[arg(long, value_name = "N")]
                pub average: Option<u32>,
                /// Validation games after every round, the same after each, to choose the network that is published; the best
                /// play four times as many others. 0 for none: the last is published
                #[arg(long, value_name = "N", default_value_t = Self::default().eval_games)]
                pub eval_games: u32 = 2000,
                /// What computes: ndarray (the processor), and with the features of these names flex or cuda
                #[arg(long, value_name = "DEVICE", default_value_t = Self::default().device)]
                #[serde(with = "mineflow_stage::texts::text")]
                pub device: mineflow_train::Device = mineflow_train::Device::Ndarray,
                /// First check of a network: learn 16 rows by heart and keep nothing; exit code 1 if it can't
                #[arg(long)]
                pub overfit: bool,
            }
        }

        impl $name {
            /// How the network learns, as far as that is said.
            fn learning(&self) -> $crate::network::AskedLearning {
                let &Self { window, batch, learning_rate, decay, clip, average, device, .. } = self;
                $crate::network::AskedLearning { window, batch, learning_rate, decay, clip, average, device }
            }
        }
    };
}

pub(crate) use network_settings;
